/** Changes the permalinks of a real WordPress as an administrator does: its REST API cannot. */
export async function setRealPermalinks(url: string, kind: "pretty" | "plain"): Promise<void> {
  const cookie = await signIn(url);
  const address = `${url}/wp-admin/options-permalink.php`;
  const form = await (await fetch(address, { headers: { cookie } })).text();
  const nonce = /name="_wpnonce" value="([^"]+)"/.exec(form)?.[1];
  if (!nonce) throw new Error(`The form of the permalinks has no nonce: ${form.slice(0, 500)}`);
  const structure = kind === "pretty" ? "/%postname%/" : "";
  const body = new URLSearchParams({ _wpnonce: nonce, selection: structure, permalink_structure: structure });
  const saved = await fetch(address, { method: "POST", headers: { cookie }, body, redirect: "manual" });
  if (saved.status !== 302) throw new Error(`The permalinks were not saved: ${saved.status}`);
}

/** The password is the one of tests/support/wordpress-server/install.php. */
async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ log: "admin", pwd: "admin-login-password", testcookie: "1" });
  const headers = { cookie: "wordpress_test_cookie=WP%20Cookie%20check" };
  const answer = await fetch(`${url}/wp-login.php`, { method: "POST", headers, body, redirect: "manual" });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return cookies.join("; ");
}
