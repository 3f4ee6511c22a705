<?php
// php add-site.php <folder of WordPress> <address of the network> <pretty|plain> <name of the new site>
[, $folder, $network, $permalinks, $name] = $argv;
require __DIR__ . '/settings.php';
prepare_request($network);
require "$folder/wp-load.php";
apply_settings($permalinks);

// Older versions would remove the colon before the port.
remove_filter('wp_normalize_site_data', 'wp_normalize_site_data');
$id = wp_insert_site([
  'domain' => $_SERVER['HTTP_HOST'],
  'path' => get_network()->path . "$name/",
  'title' => 'Site Two',
  'user_id' => get_user_by('login', 'admin')->ID,
]);
if (is_wp_error($id)) {
  fwrite(STDERR, $id->get_error_message() . "\n");
  exit(1);
}
switch_to_blog($id);
$wp_rewrite->init();
apply_settings($permalinks);
