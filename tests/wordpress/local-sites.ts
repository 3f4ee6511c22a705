// Imported before the app, which reads it once.
process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
