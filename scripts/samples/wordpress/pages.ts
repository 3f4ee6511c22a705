import { postLink, shortText } from "@/scripts/samples/wordpress/post-view";
import { SITE_NAME } from "@/scripts/samples/wordpress/rest";
import type { RestContext } from "@/scripts/samples/wordpress/rest-answers";
import type { StoredPost } from "@/scripts/samples/wordpress/store";
import { escapeHtml, renderedBlocks } from "@/scripts/samples/wordpress/text";

export type Page = { status: number; html: string; headers?: Record<string, string> };

/** The public page at a path below the site's address. */
export function publicPage(context: RestContext, path: string, query: URLSearchParams): Page {
  const published = [...context.store.posts.values()]
    .filter((post) => post.status === "publish")
    .sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
  if (query.get("feed") === "rss2")
    return { status: 200, headers: { "Content-Type": "application/rss+xml" }, html: FEED };
  const number = query.get("p");
  const slug = path.replace(/^\/|\/$/g, "").toLowerCase();
  const isHome = !number && (slug === "" || slug === "index.php" || context.permalinks === "plain");
  if (isHome) return { status: 200, html: home(context, published) };
  if (slug === "wp-login.php") return { status: 200, html: layout(context, "Log in", SIGN_IN) };
  const found = published.find((post) => (number ? post.id === Number(number) : post.slug === slug));
  if (!found) return { status: 404, html: layout(context, "Not found", NOT_FOUND) };
  return { status: 200, html: layout(context, found.title, article(context, found)) };
}

/** Its beginning, where WordPress names its version. */
const FEED = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>${SITE_NAME}</title>
<generator>https://wordpress.org/?v=6.5.5</generator></channel></rss>`;
const SIGN_IN = `<h1>Log in</h1><p>There is no login here: the sample has a REST API and this page, but no dashboard.</p>`;
const NOT_FOUND = `<h1>Not found</h1><p>There is no published post at this address. It may have been unpublished.</p>`;

function home(context: RestContext, published: StoredPost[]): string {
  const entries = published.map((post) => {
    const link = escapeHtml(postLink(context, post));
    return `<article><h2><a href="${link}">${escapeHtml(post.title) || "(no title)"}</a></h2>${about(context, post)}
<p>${escapeHtml(shortText(post))}</p></article>`;
  });
  const none = `<p class="empty">Nothing has been published here yet. Publish a post from Content Planner, then reload this page.</p>`;
  return layout(context, "", `<h1>Latest posts</h1>${entries.join("\n") || none}`);
}

function article(context: RestContext, post: StoredPost): string {
  return `<article><h1>${escapeHtml(post.title)}</h1>${about(context, post)}
<div class="content">${renderedBlocks(post.content)}</div></article>
<p><a href="${escapeHtml(context.siteUrl)}/">All posts</a></p>`;
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

function about({ store }: RestContext, post: StoredPost): string {
  const names = post.categories.map((id) => store.categories.get(id)?.name ?? "").filter(Boolean);
  const date = `<time datetime="${post.date}Z">${DATE.format(new Date(`${post.date}Z`))}</time>`;
  return `<p class="about">${[date, ...names.map((name) => `<span>${name}</span>`)].join(" · ")}</p>`;
}

/** A page of the site with its header; `main` is HTML. */
export function layout(context: RestContext, title: string, main: string): string {
  const heading = title ? `${escapeHtml(title)} – ${SITE_NAME}` : SITE_NAME;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title><style>${STYLE}</style></head>
<body><p class="sample" role="note">This is a sample WordPress site. It runs on this machine only, for trying things out.</p>
<header><a href="${escapeHtml(context.siteUrl)}/">${SITE_NAME}</a></header><main>${main}</main></body></html>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2327; --soft: #50575e; --line: #dcdcde; --paper: #fff; --link: #0b5394; --note: #fcf4d9 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a7aaad; --line: #3c434a; --paper: #16191c; --link: #8ab8f0; --note: #3a3216 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 18px/1.65 Georgia, "Times New Roman", serif }
.sample { margin: 0; padding: .5rem 1rem; background: var(--note); text-align: center; font: 14px/1.5 system-ui, sans-serif }
header, main { max-width: 42rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 2rem; font: 600 1.25rem system-ui, sans-serif }
header a { color: inherit; text-decoration: none }
a { color: var(--link) }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 2rem 0 .5rem }
main { padding-bottom: 4rem; overflow-wrap: anywhere }
article { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem }
.about, .empty { color: var(--soft); font: 14px/1.5 system-ui, sans-serif; margin: 0 0 1rem }
img { max-width: 100%; height: auto }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; font-size: 15px }
blockquote { margin: 1.5rem 0; padding-left: 1.25rem; border-left: 3px solid var(--line); color: var(--soft) }
figure { margin: 1.5rem 0; overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left }
.has-text-align-center { text-align: center } .has-text-align-right { text-align: right }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0 }`;
