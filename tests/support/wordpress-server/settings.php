<?php
// Errors show as they are.
define('WP_DISABLE_FATAL_ERROR_HANDLER', true);

/** WordPress then loads as for a request of this address. */
function prepare_request(string $url): void {
  $parts = parse_url($url);
  $_SERVER = array_merge($_SERVER, [
    'HTTP_HOST' => $parts['host'] . (isset($parts['port']) ? ":{$parts['port']}" : ''),
    'SERVER_NAME' => $parts['host'],
    'SERVER_PROTOCOL' => 'HTTP/1.1',
    'REQUEST_METHOD' => 'GET',
    'REQUEST_URI' => ($parts['path'] ?? '') . '/',
    'REMOTE_ADDR' => '127.0.0.1',
  ]);
}

/** Of the present site. */
function apply_settings(string $permalinks): void {
  global $wp_rewrite;
  // Far from UTC on purpose: a date mistaken for a date_gmt shows.
  update_option('timezone_string', 'America/New_York');
  // The main site of a network keeps its posts under /blog, apart from the other sites' names.
  $blog = is_multisite() && is_main_site() ? '/blog' : '';
  $wp_rewrite->set_permalink_structure($permalinks === 'plain' ? '' : "$blog/%postname%/");
  $wp_rewrite->flush_rules(true);
}
