"""The page on which people sign up."""

from __future__ import annotations

from allauth.account import views
from django.db import IntegrityError, transaction
from django.http import HttpResponse

from crownhead.server.accounts.forms import SignupForm
from crownhead.server.accounts.guests.access import forget_guest
from crownhead.server.accounts.validators import NAME_IS_TAKEN


class SignupView(views.SignupView):  # type: ignore[misc]
    """allauth's; an account and the letter about it are stored together, or neither."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Make the account; somebody else may have taken the name between the check and the insertion."""
        try:
            with transaction.atomic():
                answer: HttpResponse = super().form_valid(form)
            forget_guest(self.request)  # not before the row is stored: else their games would be nobody's
        except IntegrityError:
            form.add_error("username", NAME_IS_TAKEN)
            answer = self.form_invalid(form)
        return answer


signup = SignupView.as_view()
