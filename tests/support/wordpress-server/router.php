<?php
// For `php -S`: files as they are, everything else through WordPress, which may live in WP_SUBDIRECTORY.
$root = $_SERVER['DOCUMENT_ROOT'];
$base = rtrim(getenv('WP_SUBDIRECTORY') ?: '', '/');
$path = urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if (strpos($path, '..') !== false) {
  http_response_code(400);
  return true;
}
if ($base !== '' && strpos($path, $base) !== 0) {
  http_response_code(404);
  echo 'There is nothing outside the subdirectory.';
  return true;
}
$file = $root . $path;
if (is_dir($file) && substr($path, -1) !== '/') {
  header("Location: $path/", true, 301);
  return true;
}
if (is_dir($file) && is_file("{$file}index.php") && $path !== "$base/") {
  $file .= 'index.php';
  $path .= 'index.php';
}
$isFile = is_file($file);
if ($isFile && substr($file, -4) !== '.php') return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $isFile ? $path : "$base/index.php";
$_SERVER['SCRIPT_FILENAME'] = $isFile ? $file : "$root$base/index.php";
chdir(dirname($_SERVER['SCRIPT_FILENAME']));
require $_SERVER['SCRIPT_FILENAME'];
