<?php
// php install.php <folder of WordPress> <its address> <pretty|plain> <1 if it is a network>
[, $folder, $url, $permalinks, $network] = $argv;
require __DIR__ . '/settings.php';
prepare_request($url);
define('WP_INSTALLING', true);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
// The installation would try out permalinks on the site, which does not listen yet.
add_filter('pre_http_request', fn() => new WP_Error('not_listening'));

wp_install('Test Site', 'admin', 'admin@example.test', true, '', 'admin-login-password');
update_option('siteurl', $url);
update_option('home', $url);
apply_settings($permalinks);

if ($network) {
  foreach ($wpdb->tables('ms_global') as $table => $name) $wpdb->$table = $name;
  install_network();
  populate_network(1, $_SERVER['HTTP_HOST'], 'admin@example.test', 'Test Network', parse_url("$url/", PHP_URL_PATH));
}
