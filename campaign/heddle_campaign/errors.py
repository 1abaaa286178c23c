"""What ends a campaign with a line on standard error."""


class CampaignError(Exception):
    """Something a user can mend; the line says what. Exit status 2, unless another one is known."""

    def __init__(self, line: str, status: int = 2):
        super().__init__(line)
        self.status = status
