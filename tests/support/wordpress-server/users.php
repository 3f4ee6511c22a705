<?php
// php users.php <folder of WordPress> <address of the site>: adds a user of every role, activates our plugin, and prints the
// site as JSON.
[, $folder, $url] = $argv;
require __DIR__ . '/settings.php';
prepare_request($url);
require "$folder/wp-load.php";

$users = [];
foreach (['administrator', 'editor', 'author', 'contributor', 'subscriber'] as $role) {
  $login = $role === 'administrator' ? 'admin' : $role;
  $known = get_user_by('login', $login);
  $id = $known ? $known->ID : wp_create_user($login, "$login-login-password", "$login@example.test");
  foreach (is_multisite() ? get_sites(['fields' => 'ids']) : [1] as $site) {
    if (is_multisite()) add_user_to_blog($site, $id, $role);
    else (new WP_User($id))->set_role($role);
  }
  [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'tests']);
  $users[$role] = ['username' => $login, 'applicationPassword' => WP_Application_Passwords::chunk_password($password)];
}
require_once ABSPATH . 'wp-admin/includes/plugin.php';
$failure = activate_plugin('content-planner-fields.php');
if (is_wp_error($failure)) {
  fwrite(STDERR, $failure->get_error_message() . "\n");
  exit(1);
}
echo json_encode(['url' => $url, 'version' => get_bloginfo('version'), 'users' => $users]), "\n";
