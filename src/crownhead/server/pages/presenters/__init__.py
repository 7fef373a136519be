"""Values prepared for the templates of these pages."""
