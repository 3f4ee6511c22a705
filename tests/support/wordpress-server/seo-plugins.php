<?php
// Stands in for the SEO plugins whose constants are in this file, one a line; tests change it while the site runs.
$file = WP_CONTENT_DIR . '/seo-plugins.txt';
foreach (file_exists($file) ? file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) : [] as $name) define($name, 'tests');
