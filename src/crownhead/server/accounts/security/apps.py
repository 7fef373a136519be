"""The list of sessions as Django sees it."""

from allauth.usersessions import apps


class SessionsConfig(apps.UserSessionsConfig):  # type: ignore[misc]
    def ready(self) -> None:
        """Wire the list, except that allauth would look at every session of somebody who signs in."""
        from allauth.account.signals import user_logged_in
        from allauth.usersessions.signals import on_user_logged_in

        super().ready()
        user_logged_in.disconnect(on_user_logged_in)
