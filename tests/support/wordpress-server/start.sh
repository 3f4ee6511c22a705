#!/bin/bash
# A real WordPress from Debian's packages on 127.0.0.1, with a MariaDB of its own behind a socket. It lives in WORK_DIR and ends
# with its standard input, so that nothing is left when the tests die. Everything stays in one process group.
#   WORK_DIR        an empty folder of its own
#   PORT            where it listens
#   PERMALINKS      pretty | plain
#   SUBDIRECTORY    "" or /blog
#   WORDPRESS_SOURCE, PHP_WORKERS   where WordPress' files are; how many requests it serves at once
set -euo pipefail
: "${WORK_DIR:?}" "${PORT:?}" "${PERMALINKS:=pretty}" "${SUBDIRECTORY:=}" "${WORDPRESS_SOURCE:=/usr/share/wordpress}" "${PHP_WORKERS:=4}"
here=$(cd "$(dirname "$0")" && pwd)
url="http://127.0.0.1:$PORT$SUBDIRECTORY"
database="$WORK_DIR/mariadb"
socket="$database/server.sock"
root="$WORK_DIR/site"
site="$root$SUBDIRECTORY"

as_user=()
mkdir -p "$database" "$site"
if [ "$(id -u)" = 0 ]; then
  as_user=(--user=mysql)
  chmod 755 "$WORK_DIR"
  chown mysql:mysql "$database"
fi
mariadb-install-db --no-defaults "${as_user[@]}" --datadir="$database/data" --auth-root-authentication-method=normal \
  --skip-test-db >"$WORK_DIR/install-db.log" 2>&1
mariadbd --no-defaults "${as_user[@]}" --datadir="$database/data" --socket="$socket" --pid-file="$database/server.pid" \
  --skip-networking --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=2 >"$WORK_DIR/mariadb.log" 2>&1 </dev/null &

cp -rL "$WORDPRESS_SOURCE"/. "$site/"
mkdir -p "$site/wp-content/uploads"
cat >"$site/wp-config.php" <<PHP
<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'wordpress'); define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost:$socket'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as \$key) {
  define(\$key, "for-tests-only-\$key");
}
\$table_prefix = 'wp_';
// A local site has application passwords over plain http.
define('WP_ENVIRONMENT_TYPE', 'local');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_AUTO_UPDATE_CORE', false); define('WP_DEBUG', false);
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP

for _ in $(seq 1 150); do
  mariadb-admin --no-defaults -S "$socket" -uroot ping >/dev/null 2>&1 && break
  sleep 0.1
done
mariadb --no-defaults -S "$socket" -uroot -e "
  CREATE DATABASE wordpress CHARACTER SET utf8mb4;
  GRANT ALL ON wordpress.* TO wordpress@localhost IDENTIFIED BY 'wordpress';"

php -d error_reporting=0 "$here/install.php" "$site" "$url" "$PERMALINKS" >"$WORK_DIR/site.json"
WP_SUBDIRECTORY="$SUBDIRECTORY" PHP_CLI_SERVER_WORKERS="$PHP_WORKERS" php -d opcache.enable_cli=1 -d memory_limit=256M \
  -d post_max_size=20M -S "127.0.0.1:$PORT" -t "$root" "$here/router.php" >"$WORK_DIR/php.log" 2>&1 </dev/null &
for _ in $(seq 1 100); do
  curl -sf -o /dev/null "$url/?rest_route=/" && break
  sleep 0.1
done
echo ready
cat >/dev/null
kill -KILL 0
