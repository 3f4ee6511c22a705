import { PASSWORDS } from "@/scripts/samples/wordpress/accounts";
import type { PageAnswer } from "@/scripts/samples/wordpress/faults";
import { layout } from "@/scripts/samples/wordpress/pages";
import type { RestContext } from "@/scripts/samples/wordpress/rest-answers";
import { escapeHtml } from "@/scripts/samples/wordpress/text";

/**
 * The page where a user lets an application in, as an editor who is signed in sees it. Approved, WordPress sends the browser
 * back with a password in the address, or shows it if there is no return address.
 */
export function authorizePage(
  context: RestContext,
  { method, query, body }: { method: string; query: URLSearchParams; body: string },
): PageAnswer {
  const form = method === "POST" ? new URLSearchParams(body) : null;
  const asked = form ?? query;
  const [success, reject] = [asked.get("success_url") ?? "", asked.get("reject_url") ?? ""];
  if (form?.has("reject")) return { status: 302, headers: { Location: reject || context.siteUrl }, html: "" };
  const { username, applicationPassword } = PASSWORDS.editor;
  if (form?.has("approve") && success) {
    const url = new URL(success);
    const given = { site_url: context.siteUrl, user_login: username, password: applicationPassword };
    for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
    return { status: 302, headers: { Location: url.href }, html: "" };
  }
  if (form?.has("approve")) return page(context, `<p>Your new password is <code>${applicationPassword}</code></p>`);
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const name = escapeHtml(query.get("app_name") ?? "");
  const question = `<p>Would you like to give the application identifying itself as <strong>${name}</strong> access to your account, ${username}?</p>`;
  const buttons = `<button name="approve" value="1">Yes, I approve of this connection</button>
<button name="reject" value="1">No, I do not approve of this connection</button>`;
  return page(context, `${question}<form method="post">${hidden.join("")}${buttons}</form>`);
}

function page(context: RestContext, main: string): PageAnswer {
  const title = "Authorize Application";
  return { status: 200, html: layout(context, title, `<h1>${title}</h1>${main}`) };
}
