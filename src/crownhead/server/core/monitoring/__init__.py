"""What a site tells about itself to those who look after it: metrics, and lines of its log."""
