/**
 * Payloads beyond those of payloads.ts: ids that shadow the page's variables, markup that mutates when parsed twice,
 * GitHub-flavoured Markdown, and web addresses that carry a script. Each would call `__ran` with a number starting at
 * `first`.
 */
export function markupPayloads(first: number): string[] {
  return PATTERNS.map((pattern, number) => pattern.replaceAll("RUN", `__ran(${first + number})`));
}

/** Addresses a hostile site may give a post; all must be harmless links. */
export function hostileAddresses(): string[] {
  return [
    'https://canary.invalid/"onmouseover="__ran(900)',
    "https://canary.invalid/'autofocus/onfocus='__ran(901)",
    "https://canary.invalid/<script>__ran(902)</script>",
    "https://canary.invalid/?next=javascript:__ran(903)",
    "https://canary.invalid/#<img src=x onerror=__ran(904)>",
    "HTTPS://javascript:__ran(905)@canary.invalid/",
    "https://canary.invalid/\u2028__ran(906)",
  ];
}

const PATTERNS = [
  // The page's own variables, shadowed by name
  "<form id=__NEXT_DATA__><input name=textContent value=RUN></form>",
  "<img name=currentScript src='javascript:RUN'>",
  "<a id=defaultView><a id=defaultView name=location href='javascript:RUN'>x</a>",
  "<form name=body><input name=appendChild><img src=x onerror=RUN></form>",
  "<div id=main><img src=x onerror=RUN></div>",
  "[^constructor]\n\n[^constructor]: <img src=x onerror=RUN>",
  "# __proto__ {#cookie onclick=RUN}",
  // Different when parsed twice
  "<svg></p><style><a id='</style><img src=1 onerror=RUN>'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=RUN>",
  "<math><annotation-xml encoding='text/html'><xmp>&lt;/xmp&gt;&lt;img src=x onerror=RUN&gt;</xmp></annotation-xml></math>",
  "<svg><title><![CDATA[</title><img src=x onerror=RUN>]]></svg>",
  "<select><template><style></select><img src=x onerror=RUN></style></template>",
  "<a title='--><img src=x onerror=RUN>'>x</a><!--",
  // Markdown
  'https://canary.invalid/"onmouseover=RUN//',
  "<https://canary.invalid/' onfocus=RUN autofocus x=>",
  "www.canary.invalid/`onclick=RUN`",
  '[click](https://canary.invalid "title\\" onmouseover=\\"RUN")',
  '[click](https://canary.invalid "&quot; onmouseover=&quot;RUN")',
  "[click](javascript&colon;RUN)",
  "[click](\\javascript:RUN)",
  "[click](java%0ascript:RUN)",
  "[click](\u00a0javascript:RUN)",
  "[![x](javascript:RUN)](javascript:RUN)",
  "| a |\n| - |\n| <img src=x onerror=RUN> [y](javascript:RUN) |",
  "- [ ] <input onfocus=RUN autofocus> [y](vbscript:RUN)",
  "~~<script>RUN</script>~~ **<svg onload=RUN>**",
  "```js onclick=RUN\nx\n```",
  '```"><img src=x onerror=RUN>\nx\n```',
  "![x](data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>)",
  // Look-alike characters
  "＜script＞RUN＜/script＞",
  "<ſcript>RUN</ſcript>",
  "<img src=x on\u200berror=RUN>",
  "\u202e<script>RUN</script>",
  "<img src=x onerror=\u0085RUN>",
  "+ADw-script+AD4-RUN+ADw-/script+AD4-",
];
