#!/bin/bash
# A real WordPress on 127.0.0.1. It lives in WORK_DIR and ends with its standard input, so that nothing is left when the
# tests die. Everything stays in one process group.
#   WORK_DIR      an empty folder of its own
#   PORT          where it listens
#   URL           its address for visitors: home and siteurl
#   PERMALINKS    pretty | plain
#   NETWORK       1: a network of sites in subdirectories; the site at /two is the one to use
#   SOURCE        WordPress' files
#   DATABASE      mariadb: one of its own behind a socket | sqlite: through the plugin in SOURCE
#   ENVIRONMENT   local: application passwords over plain http, and return addresses that are not https | production
#   PHP_WORKERS   how many requests it serves at once
set -eEuo pipefail
trap 'tail -n 10 "$WORK_DIR"/*.log >&2 || true' ERR
trap 'kill -KILL 0' EXIT
# If the tests die while it starts, nobody reads what it prints.
trap : PIPE
: "${WORK_DIR:?}" "${PORT:?}" "${URL:?}" "${PERMALINKS:?}" "${SOURCE:?}" "${DATABASE:?}" "${NETWORK:=}" "${PHP_WORKERS:=4}" "${ENVIRONMENT:=local}"
here=$(cd "$(dirname "$0")" && pwd)
host=${URL#*://}
host=${host%%/*}
home_path=${URL#*://"$host"}
root="$WORK_DIR/site"
site="$root$home_path"
socket="$WORK_DIR/mariadb/server.sock"

launch_mariadb() {
  local as_user=()
  mkdir "$WORK_DIR/mariadb"
  # Each deletes the temporary tables it finds when it starts: those of another one in /tmp, too.
  export TMPDIR="$WORK_DIR/mariadb"
  if [ "$(id -u)" = 0 ]; then
    as_user=(--user=mysql)
    chmod 755 "$WORK_DIR"
    chown mysql:mysql "$WORK_DIR/mariadb"
  fi
  mariadb-install-db --no-defaults "${as_user[@]}" --datadir="$WORK_DIR/mariadb/data" --skip-test-db \
    --auth-root-authentication-method=normal >"$WORK_DIR/install-db.log" 2>&1
  mariadbd --no-defaults "${as_user[@]}" --datadir="$WORK_DIR/mariadb/data" --socket="$socket" \
    --pid-file="$WORK_DIR/mariadb/server.pid" --skip-networking --innodb-buffer-pool-size=64M \
    --innodb-flush-log-at-trx-commit=2 >"$WORK_DIR/mariadb.log" 2>&1 </dev/null &
}

create_mariadb_database() {
  for _ in $(seq 1 400); do
    mariadb-admin --no-defaults -S "$socket" -uroot ping >/dev/null 2>&1 && break
    sleep 0.1
  done
  mariadb --no-defaults -S "$socket" -uroot -e "
    CREATE DATABASE wordpress CHARACTER SET utf8mb4;
    GRANT ALL ON wordpress.* TO wordpress@localhost IDENTIFIED BY 'wordpress';"
}

# The argument is PHP: further constants.
write_config() {
  cat >"$site/wp-config.php" <<PHP
<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'wordpress'); define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost:$socket'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('DB_DIR', '$WORK_DIR/sqlite');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as \$key) {
  define(\$key, "for-tests-only-\$key");
}
\$table_prefix = 'wp_';
define('WP_ENVIRONMENT_TYPE', '$ENVIRONMENT');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_AUTO_UPDATE_CORE', false); define('WP_DEBUG', false);
// A proxy in front ends the encryption.
if (str_starts_with('$URL', 'https:')) \$_SERVER['HTTPS'] = 'on';
$1
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
}

run_php() {
  php -d display_errors=stderr "$here/$1" "$site" "${@:2}" 2>>"$WORK_DIR/php.log"
}

[ "$DATABASE" = sqlite ] || launch_mariadb
mkdir -p "$site"
cp -rL "$SOURCE"/. "$site/"
mkdir -p "$site/wp-content/uploads" "$site/wp-content/mu-plugins"
cp "$here/seo-plugins.php" "$site/wp-content/mu-plugins/"
cp "$here/../../../public/wordpress/content-planner-fields.php" "$site/wp-content/plugins/"
write_config ''
[ "$DATABASE" = sqlite ] || create_mariadb_database

public=$URL
run_php install.php "$URL" "$PERMALINKS" "$NETWORK" >>"$WORK_DIR/php.log"
if [ -n "$NETWORK" ]; then
  write_config "define('MULTISITE', true); define('SUBDOMAIN_INSTALL', false); define('DOMAIN_CURRENT_SITE', '$host');
define('PATH_CURRENT_SITE', '$home_path/'); define('SITE_ID_CURRENT_SITE', 1); define('BLOG_ID_CURRENT_SITE', 1);"
  run_php add-site.php "$URL" "$PERMALINKS" two >>"$WORK_DIR/php.log"
  public=$URL/two
fi
run_php users.php "$public" >"$WORK_DIR/site.json"

HOME_PATH="$home_path" NETWORK="$NETWORK" PHP_CLI_SERVER_WORKERS="$PHP_WORKERS" php -d opcache.enable_cli=1 \
  -d memory_limit=256M -d post_max_size=20M -S "127.0.0.1:$PORT" -t "$root" "$here/router.php" \
  >>"$WORK_DIR/php.log" 2>&1 </dev/null &
for _ in $(seq 1 400); do
  curl -sf -o /dev/null -H "Host: $host" "http://127.0.0.1:$PORT${public#*://"$host"}/?rest_route=/" && break
  sleep 0.1
done
echo ready
cat >/dev/null
