<?php
// For `php -S`: files as they are, everything else through WordPress, which may live in HOME_PATH.
// The server logs no request that a router answers.
file_put_contents('php://stderr', "asked {$_SERVER['REQUEST_METHOD']} {$_SERVER['REQUEST_URI']}\n");
$root = $_SERVER['DOCUMENT_ROOT'];
$base = getenv('HOME_PATH') ?: '';
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
// The sites of a network share the files, as with the rewrite rules that WordPress gives for Apache.
$isShared = getenv('NETWORK') && preg_match('#^/[^/]+(/wp-(?:admin|content|includes)\b.*|/[^/]+\.php)$#', substr($path, strlen($base)), $shared);
$served = $isShared ? $base . $shared[1] : $path;
$file = $root . $served;
if (is_dir($file) && substr($path, -1) !== '/') {
  header("Location: $path/", true, 301);
  return true;
}
if (is_dir($file) && is_file("{$file}index.php") && $served !== "$base/") {
  $file .= 'index.php';
  $served .= 'index.php';
}
$isFile = is_file($file);
if ($isFile && substr($file, -4) !== '.php') {
  if ($served === $path) return false;
  header("Location: $served");
  return true;
}
// PHP's own guess leaves the subdirectory out.
unset($_SERVER['PATH_INFO']);
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $isFile ? $served : "$base/index.php";
$_SERVER['SCRIPT_FILENAME'] = $isFile ? $file : "$root$base/index.php";
chdir(dirname($_SERVER['SCRIPT_FILENAME']));
require $_SERVER['SCRIPT_FILENAME'];
