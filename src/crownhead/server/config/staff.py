"""The back office, at /staff/."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

admin.autodiscover()
admin.site.site_header = admin.site.site_title = "Crownhead"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = admin.site.urls[0]
