<?php
// php install.php <folder of WordPress> <its address> <pretty|plain>: installs the site and prints its users as JSON.
[, $folder, $url, $permalinks] = $argv;
$parts = parse_url($url);
$_SERVER = array_merge($_SERVER, [
  'HTTP_HOST' => "{$parts['host']}:{$parts['port']}",
  'SERVER_NAME' => $parts['host'],
  'SERVER_PROTOCOL' => 'HTTP/1.1',
  'REQUEST_METHOD' => 'GET',
  'REQUEST_URI' => ($parts['path'] ?? '') . '/',
  'REMOTE_ADDR' => '127.0.0.1',
]);
define('WP_INSTALLING', true);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');

wp_install('Test Site', 'admin', 'admin@example.test', true, '', 'admin-login-password');
update_option('siteurl', $url);
update_option('home', $url);
// Far from UTC on purpose: a date mistaken for a date_gmt shows.
update_option('timezone_string', 'America/New_York');
global $wp_rewrite;
$wp_rewrite->set_permalink_structure($permalinks === 'plain' ? '' : '/%postname%/');
$wp_rewrite->flush_rules(true);

$users = [];
foreach (['administrator', 'editor', 'author', 'contributor', 'subscriber'] as $role) {
  $login = $role === 'administrator' ? 'admin' : $role;
  $known = get_user_by('login', $login);
  $id = $known ? $known->ID : wp_insert_user([
    'user_login' => $login,
    'user_pass' => "$login-login-password",
    'user_email' => "$login@example.test",
    'role' => $role,
  ]);
  [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'tests']);
  $users[$role] = ['username' => $login, 'applicationPassword' => WP_Application_Passwords::chunk_password($password)];
}
echo json_encode(['url' => $url, 'version' => get_bloginfo('version'), 'users' => $users]), "\n";
