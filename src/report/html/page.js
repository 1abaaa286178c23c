// Draws the schedules of the page: for each finding a table whose rows are the steps from top to
// bottom. Every thread has a lane; a step has its mark in the lane of its thread. What the page is
// about is in the element heddle-data (src/report/html_data.cpp). Everything is set as text, never
// as HTML.
"use strict";
(() => {
  const page = JSON.parse(document.getElementById("heddle-data").textContent);
  const FLAGS = page.flags;

  const WHOLE_ROWS = 60;  // schedules up to this many steps are shown whole, longer ones as
  const FIRST_ROWS = 10;  // this beginning,
  const LAST_ROWS = 25;   // this end,
  const AROUND_ROWS = 4;  // and this much around every marked step
  const MOST_ROWS = 500;  // at a time: more on request
  const FEW_LANES = 6;    // with more threads, only those with marked steps have lanes
  const MOST_LANES = 12;  // unless all are asked for
  const REM = parseFloat(getComputedStyle(document.documentElement).fontSize);

  const MARKED = FLAGS.preempts | FLAGS.raceFirst | FLAGS.raceSecond | FLAGS.blocked |
    FLAGS.ending | FLAGS.left | FLAGS.made | FLAGS.early;

  const text = (number) => page.texts[number || 0];
  const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  // element("a", {href: "#x"}, "text", anotherElement): attributes that are false are left out.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick" || key === "onchange") {
        made.addEventListener(key.slice(2), value);
      } else if (value !== false && value !== undefined && value !== null) {
        made.setAttribute(key, value === true ? "" : value);
      }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  function placeOf(at, long) {
    if (!at.file) return at.where ? text(at.where) : "";
    const file = page.files[at.file - 1];
    return `${long ? file.name : file.short}:${at.line || 0}`;
  }

  // The lines around a place, as they were when the page was made.
  function sourcePane(at) {
    if (!at.file || !at.line) return null;
    const file = page.files[at.file - 1];
    const caption = element("figcaption", {}, placeOf(at, true));
    const pane = element("figure", {class: "pane"}, caption);
    if (!file.lines) {
      pane.append(element("p", {class: "none"},
        "This source could not be read when the report was made."));
      return pane;
    }
    if (at.changed) {
      pane.append(element("p", {class: "note warning"},
        "The source has changed since the program was checked. The line was: ",
        element("code", {}, text(at.source))));
    }
    const lines = element("pre", {tabindex: "0", "aria-label": "Source"});
    let any = false;
    for (let number = Math.max(1, at.line - 4); number <= at.line + 4; ++number) {
      if (file.lines[number] === undefined) continue;
      const here = number === at.line;
      any ||= here;
      lines.append(element("span", {class: here ? "line here" : "line"},
        element("span", {class: "number"}, `${here ? "▶" : " "}${String(number).padStart(5)}  `),
        `${file.lines[number]}\n`));
    }
    pane.append(any ? lines : element("p", {class: "none"}, "The source has no such line any more."));
    return pane;
  }

  function stackTitle(step, thread) {
    const what = text(step.text);
    if (step.flags & FLAGS.blocked) {
      return `${thread} waits: ${what}${step.owner ? `, held by ${text(step.owner)}` : ""}`;
    }
    if (step.flags & FLAGS.raceFirst) return `First access: ${thread} ${what}`;
    if (step.flags & FLAGS.raceSecond) return `Second access: ${thread} ${what}`;
    if (step.flags & FLAGS.left) return `${thread}, when the program ended: ${what}`;
    if (step.flags & FLAGS.made) return "Where it was made";
    if (step.flags & FLAGS.ending) return `${thread}, where it ended`;
    return `${thread} ${what}`;
  }

  function frameItem(frame, open) {
    const name = element("span", {class: "frame"},
      element("code", {}, text(frame.function) || "(unknown)"), " ",
      element("span", {class: "where"}, placeOf(frame, false)));
    const pane = sourcePane(frame);
    if (!pane) return element("li", {}, name);
    return element("li", {}, element("details", {open}, element("summary", {}, name), pane));
  }

  function stackList(frames) {
    const known = frames.filter((frame) => frame.function || frame.file);
    const own = known.filter((frame) => !frame.library);
    const shown = own.length ? own : known;
    const list = element("ol", {class: "stack", start: "0"});
    shown.forEach((frame, at) => list.append(frameItem(frame, at === 0)));
    const others = frames.length - shown.length;
    if (!others) return list;
    const all = element("ol", {class: "stack", start: "0"});
    frames.forEach((frame) => all.append(frameItem(frame, false)));
    return element("div", {}, list, element("details", {class: "all-frames"},
      element("summary", {}, `All ${counted(frames.length, "frame")}, with those of libraries`), all));
  }

  class Schedule {
    constructor(finding, host) {
      this.id = finding.id;
      this.host = host;
      this.threads = finding.threads;
      this.steps = finding.steps;
      this.steps.forEach((step) => { step.flags ||= 0; });
      this.revealed = new Set();
      this.opened = new Set();
      this.thread = -1;
      this.object = 0;
      this.allLanes = false;
      this.most = MOST_ROWS;
      this.markedThreads = this.threadsWithMarks();
      this.shown = this.shownAtFirst();
      this.race = this.raceRows();
      this.longestFile = this.steps.reduce((most, step) => Math.max(most, placeOf(step, false).length), 6);
      this.build();
    }

    // ---- what is shown ----

    threadsWithMarks() {
      const marked = new Set();
      this.steps.forEach((step, at) => {
        if (step.flags & MARKED) marked.add(step.thread);
        if (step.flags & FLAGS.preempts && at > 0) marked.add(this.steps[at - 1].thread);
      });
      return marked;
    }

    shownAtFirst() {
      const count = this.steps.length;
      const shown = new Uint8Array(count).fill(count <= WHOLE_ROWS ? 1 : 0);
      this.steps.forEach((step, at) => {
        if (at < FIRST_ROWS || at + LAST_ROWS >= count) shown[at] = 1;
        if (step.flags & MARKED) shown.fill(1, Math.max(0, at - AROUND_ROWS), at + AROUND_ROWS + 1);
      });
      return shown;
    }

    // [first, second] access of the race, or null.
    raceRows() {
      const first = this.steps.findIndex((step) => step.flags & FLAGS.raceFirst);
      const second = this.steps.findIndex((step) => step.flags & FLAGS.raceSecond);
      return first >= 0 && second >= 0 ? [first, second].sort((a, b) => a - b) : null;
    }

    isFiltered() { return this.thread >= 0 || this.object !== 0; }

    isVisible(at) {
      const step = this.steps[at];
      if (this.isFiltered()) {
        return (this.thread < 0 || step.thread === this.thread) &&
          (this.object === 0 || (step.object || 0) === this.object);
      }
      return this.shown[at] === 1 || this.revealed.has(at);
    }

    // The threads that have lanes, in the order of their first steps.
    laneThreads() {
      const all = this.threads.map((_, thread) => thread);
      if (this.allLanes || all.length <= FEW_LANES) return all;
      const marked = all.filter((thread) => this.markedThreads.has(thread));
      return (marked.length ? marked : all).slice(0, MOST_LANES);
    }

    // ---- the parts around the table ----

    build() {
      this.count = element("output", {"aria-live": "polite", class: "count"});
      this.table = element("table", {role: "table", "aria-labelledby": `${this.id}-schedule`});
      this.frame = element("div", {class: "lanes"}, this.table);
      this.host.append(element("h4", {id: `${this.id}-schedule`}, "Schedule"),
        this.legend(), this.filters(), this.frame, this.stacks());
      this.render();
      let width = 0;
      new ResizeObserver(() => {
        if (this.frame.clientWidth === width) return;
        width = this.frame.clientWidth;
        this.layOut();
      }).observe(this.frame);
    }

    has(flag) { return this.steps.some((step) => step.flags & flag); }

    legend() {
      const sign = (name) => element("span", {class: `sign ${name}`, "aria-hidden": "true"});
      const entries = [element("li", {}, sign("plain"), "a step, in the lane of its thread")];
      if (this.has(FLAGS.preempts)) {
        entries.push(element("li", {}, sign("arrow"), "a preemption, to the thread that goes on"));
      }
      if (this.race) entries.push(element("li", {}, sign("race"), "an access of the race; a dashed line joins the two"));
      if (this.has(FLAGS.blocked)) entries.push(element("li", {}, sign("blocked"), "waits, not executed"));
      if (this.has(FLAGS.ending)) entries.push(element("li", {}, sign("ending"), "ends the execution"));
      return element("ul", {class: "legend"}, ...entries);
    }

    selector(label, options, onchange) {
      const select = element("select", {onchange: (event) => onchange(Number(event.target.value))});
      for (const [value, name] of options) {
        const short = name.length > 70 ? `${name.slice(0, 33)} … ${name.slice(-33)}` : name;
        select.append(element("option", {value}, short));
      }
      return element("label", {}, `${label} `, select);
    }

    filters() {
      const objects = [...new Set(this.steps.map((step) => step.object || 0))].filter((o) => o);
      const threads = this.threads.map((name, at) => [at, name]);
      const choose = (name) => (value) => {
        this[name] = value;
        this.most = MOST_ROWS;
        this.render();
      };
      this.threadChoice = this.selector("Thread", [[-1, "all"], ...threads], choose("thread"));
      this.objectChoice = this.selector("Object", [[0, "all"], ...objects.map((o) => [o, text(o)])],
        choose("object"));
      const form = element("div", {class: "filters", role: "group", "aria-label": "Filter the steps"},
        this.threadChoice, this.objectChoice);
      if (this.threads.length > FEW_LANES) {
        form.append(element("label", {}, element("input", {type: "checkbox", onchange: (event) => {
          this.allLanes = event.target.checked;
          this.render();
        }}), ` a lane for each of ${this.threads.length} threads`));
      }
      form.append(this.count);
      return form;
    }

    stacks() {
      const with_stack = this.steps.map((step, at) => at).filter((at) => this.steps[at].stack);
      if (!with_stack.length) return null;
      const section = element("div", {class: "stacks"}, element("h4", {}, "Stacks"));
      for (const at of with_stack) {
        const step = this.steps[at];
        section.append(element("section", {id: `${this.id}-stack${at + 1}`},
          element("h5", {}, stackTitle(step, this.threads[step.thread]), " ",
            element("a", {href: `#${this.id}-s${at + 1}`}, `step ${at + 1}`)),
          stackList(step.stack)));
      }
      return section;
    }

    // ---- the table ----

    render() {
      const lanes = this.laneThreads();
      this.laneOf = new Map(lanes.map((thread, at) => [thread, at + 1]));
      this.lanes = lanes.length + (lanes.length < this.threads.length ? 1 : 0);
      const body = element("tbody", {role: "rowgroup"});
      let gap = {from: 0, count: 0, omitted: 0};
      let rows = 0;
      let at = 0;
      for (; at < this.steps.length && rows < this.most; ++at) {
        gap.omitted += this.steps[at].omitted || 0;
        if (!this.isVisible(at)) {
          gap.count += 1;
          continue;
        }
        if (gap.count || gap.omitted) body.append(this.gapRow(gap));
        if (this.steps[at].flags & FLAGS.preempts && at > 0) body.append(this.switchRow(at));
        body.append(this.stepRow(at));
        if (this.opened.has(at)) body.append(this.detailRow(at));
        gap = {from: at + 1, count: 0, omitted: 0};
        rows += 1;
      }
      if (at < this.steps.length) {
        body.append(this.moreRow(at));
      } else if (gap.count) {
        body.append(this.gapRow(gap));
      }
      this.table.replaceChildren(this.headRow(lanes), body);
      this.count.textContent = `${rows.toLocaleString("en")} of ${counted(this.steps.length, "step")} shown`;
      this.layOut();
    }

    // Beside each other where there is room for it: every step's text in the lane of its thread. Else
    // all texts stand to the right of narrow lanes.
    layOut(paper) {
      const width = this.frame.clientWidth / REM;
      const place = Math.min(18, 3.5 + 0.5 * this.longestFile);
      const wide = !paper && this.lanes <= FEW_LANES && width >= place + 24 + 10 * (this.lanes - 1);
      this.table.className = wide ? "wide" : "narrow";
      const lane = wide ? 10 : this.lanes > 20 ? 1 : this.lanes > 3 ? 1.5 : 2.2;
      this.table.classList.toggle("upright", !wide && this.lanes > 3);
      this.frame.classList.toggle("many", this.lanes > FEW_LANES);
      this.table.style.setProperty("--place", wide ? `${place}rem` : "0rem");
      this.table.style.setProperty("--lanes", this.lanes);
      this.table.style.setProperty("--lane-width", `${lane}rem`);
      this.table.style.setProperty("--text", `${Math.min(26, Math.max(11, width * 0.55))}rem`);
      this.table.style.setProperty("--track", this.race ? "1.2rem" : "0.4rem");
    }

    headRow(lanes) {
      const names = lanes.map((thread) => this.threads[thread]);
      if (lanes.length < this.threads.length) names.push("others");
      return element("thead", {role: "rowgroup"}, element("tr", {role: "row", class: "head"},
        element("th", {role: "columnheader", scope: "col", class: "place"}, "Line"),
        element("th", {role: "columnheader", scope: "col", class: "hidden"}, "Step"),
        ...names.map((name, at) => element("td", {class: "lane-name", "aria-hidden": "true",
          style: `--lane: ${at + 1}`, title: name}, element("span", {}, name)))));
    }

    lane(thread) { return this.laneOf.get(thread) || this.lanes; }

    raceClass(at, before) {
      if (!this.race) return "";
      const [first, second] = this.race;
      if (before) return at > first && at <= second ? " race-via" : "";
      return at === first ? " race-from" : at === second ? " race-to" :
        at > first && at < second ? " race-via" : "";
    }

    gapRow(gap) {
      const parts = [];
      if (gap.count && this.isFiltered()) {
        parts.push(element("span", {}, `… ${counted(gap.count, "other step")} …`));
      } else if (gap.count) {
        const threads = new Set();
        for (let i = gap.from; i < gap.from + gap.count; ++i) threads.add(this.steps[i].thread);
        const of = threads.size > FEW_LANES ? counted(threads.size, "thread") :
          [...threads].map((thread) => this.threads[thread]).join(", ");
        parts.push(element("button", {type: "button", class: "more",
          onclick: () => this.reveal(gap.from, Math.min(gap.count, MOST_ROWS))},
          `… show ${counted(gap.count, "step")} of ${of} …`));
      }
      if (gap.omitted) {
        parts.push(element("span", {}, ` ${counted(gap.omitted, "step")} not in the recorded result `));
      }
      return element("tr", {role: "row", class: `gap${this.raceClass(gap.from, true)}`},
        element("td", {role: "cell", class: "what"}, ...parts));
    }

    moreRow(at) {
      return element("tr", {role: "row", class: "gap"}, element("td", {role: "cell", class: "what"},
        element("button", {type: "button", class: "more", onclick: () => {
          this.most += MOST_ROWS;
          this.render();
          this.focus(at);
        }}, `… go on from step ${(at + 1).toLocaleString("en")} …`)));
    }

    switchRow(at) {
      const from = this.lane(this.steps[at - 1].thread);
      const to = this.lane(this.steps[at].thread);
      const names = [this.steps[at - 1].thread, this.steps[at].thread].map((t) => this.threads[t]);
      const arrow = from === to ? null : element("td", {"aria-hidden": "true",
        class: `arrow ${from < to ? "right" : "left"}`,
        style: `--from: ${Math.min(from, to)}; --span: ${Math.abs(to - from)}`}, element("i"));
      return element("tr", {role: "row", class: `switch${this.raceClass(at, true)}`,
        style: `--lane: ${Math.max(from, to)}`}, arrow,
        element("td", {role: "cell", class: "what"}, `${names[0]} preempted, ${names[1]} goes on`));
    }

    stepRow(at) {
      const step = this.steps[at];
      const flags = step.flags;
      const kind = flags & (FLAGS.raceFirst | FLAGS.raceSecond) ? "race" :
        flags & (FLAGS.blocked | FLAGS.left) ? "blocked" : flags & FLAGS.ending ? "ending" : "plain";
      const source = text(step.source);
      const does = text(step.text);
      const open = element("button", {type: "button", class: "open",
        "aria-expanded": String(this.opened.has(at)), onclick: () => this.toggle(at)},
        element("span", {class: "who"}, `${this.threads[step.thread]} `),
        source ? element("code", {}, source) : element("span", {class: "does"}, does));
      const what = element("td", {role: "cell", class: "what"}, open,
        source ? element("span", {class: "does"}, does) : null, ...this.badges(at));
      return element("tr", {role: "row", id: `${this.id}-s${at + 1}`,
        class: `step ${kind}${flags & MARKED & ~FLAGS.preempts ? " marked" : ""}${this.laneOf.has(step.thread) ? "" : " other"}${this.raceClass(at, false)}`,
        style: `--lane: ${this.lane(step.thread)}`},
        element("td", {role: "cell", class: "place"},
          element("span", {class: "step-number"}, String(at + 1)), this.shortPlace(step)),
        element("td", {class: "dot", "aria-hidden": "true"}, element("i", {class: `sign ${kind}`})),
        what);
    }

    // The name of a file may be cut where there is no room, its line never.
    shortPlace(step) {
      const place = placeOf(step, false);
      if (!place) return element("span", {class: "file"}, text(step.function));
      const colon = place.lastIndexOf(":");
      return element("span", {class: "file-line", title: placeOf(step, true)},
        element("span", {class: "file"}, place.slice(0, colon)), place.slice(colon));
    }

    badges(at) {
      const step = this.steps[at];
      const flags = step.flags;
      const badges = [];
      const add = (...what) => badges.push(element("span", {class: "badge"}, ...what));
      if (flags & FLAGS.blocked) {
        add("waits", step.object ? ` for ${text(step.object)}` : "",
          ...(step.owner ? [", held by ", this.ownerLink(step.owner)] : []));
      }
      if (flags & FLAGS.raceFirst) add("first access");
      if (flags & FLAGS.raceSecond) add("second access");
      if (flags & FLAGS.early) add("times out early");
      else if (flags & FLAGS.timedOut) add("times out");
      if (flags & FLAGS.failed) add("fails");
      if (flags & FLAGS.left) add("killed here");
      if (flags & FLAGS.made) add("made here");
      if (flags & FLAGS.ending) add("here it ends");
      if (step.stack) {
        badges.push(element("a", {class: "to-stack", href: `#${this.id}-stack${at + 1}`}, "stack"));
      }
      return badges;
    }

    // To where the owner itself waits, if it does.
    ownerLink(owner) {
      const name = text(owner);
      const at = this.steps.findIndex((step) => step.flags & FLAGS.blocked &&
        this.threads[step.thread] === name);
      return at < 0 ? name : element("a", {href: `#${this.id}-s${at + 1}`}, name);
    }

    detailRow(at) {
      const step = this.steps[at];
      const thread = this.threads[step.thread];
      const facts = element("dl", {class: "facts"});
      const fact = (name, ...what) => facts.append(
        element("div", {}, element("dt", {}, name), element("dd", {}, ...what)));
      const only = (choice, name, value) => element("button", {type: "button", class: "only", onclick: () => {
        choice.querySelector("select").value = value;
        this[name] = value;
        this.render();
      }}, `only this ${name}`);
      fact("Thread", thread, " ", only(this.threadChoice, "thread", step.thread));
      fact("Operation", text(step.text));
      if (step.object) fact("Object", text(step.object), " ", only(this.objectChoice, "object", step.object));
      if (step.function) fact("Function", element("code", {}, text(step.function)));
      const stack = step.stack ? element("p", {},
        element("a", {href: `#${this.id}-stack${at + 1}`}, "its stack")) : null;
      return element("tr", {role: "row", class: `detail${this.raceClass(at + 1, true)}`},
        element("td", {role: "cell", class: "what"}, facts, sourcePane(step), stack));
    }

    // ---- what the reader does ----

    toggle(at) {
      const row = document.getElementById(`${this.id}-s${at + 1}`);
      const open = !this.opened.has(at);
      if (open) {
        this.opened.add(at);
        row.after(this.detailRow(at));
      } else {
        this.opened.delete(at);
        row.nextElementSibling.remove();
      }
      row.querySelector("button.open").setAttribute("aria-expanded", String(open));
    }

    reveal(from, count) {
      for (let at = from; at < from + count; ++at) this.revealed.add(at);
      this.most += count;
      this.render();
      this.focus(from);
    }

    focus(at) {
      const row = document.getElementById(`${this.id}-s${at + 1}`);
      if (row) row.querySelector("button.open").focus({preventScroll: false});
    }

    // Somebody follows a link to this step: it must be there, whatever is filtered.
    goTo(at) {
      if (!(at in this.steps)) return;
      if (!document.getElementById(`${this.id}-s${at + 1}`)) {
        this.thread = -1;
        this.object = 0;
        for (const choice of [this.threadChoice, this.objectChoice]) {
          choice.querySelector("select").selectedIndex = 0;
        }
        for (let i = Math.max(0, at - AROUND_ROWS); i <= at + AROUND_ROWS && i < this.steps.length; ++i) {
          this.revealed.add(i);
        }
        const before = this.steps.filter((_, i) => i <= at && this.isVisible(i)).length;
        this.most = Math.max(this.most, before + AROUND_ROWS);
        this.render();
      }
      this.focus(at);
      document.getElementById(`${this.id}-s${at + 1}`).scrollIntoView({block: "center"});
    }
  }

  const schedules = new Map();
  for (const finding of page.findings) {
    const host = document.querySelector(`[data-finding="${finding.id}"]`);
    if (host) schedules.set(finding.id, new Schedule(finding, host));
  }

  function followLink() {
    const found = /^#(r\d+f\d+)-s(\d+)$/.exec(location.hash);
    if (found && schedules.has(found[1])) schedules.get(found[1]).goTo(Number(found[2]) - 1);
  }
  addEventListener("hashchange", followLink);
  followLink();

  // Paper is narrow, and shows nothing that is closed.
  addEventListener("beforeprint", () => schedules.forEach((schedule) => schedule.layOut(true)));
  addEventListener("afterprint", () => schedules.forEach((schedule) => schedule.layOut(false)));
  document.documentElement.dataset.drawn = String(schedules.size);
})();
