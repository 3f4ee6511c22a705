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
  // The elements of HTML that a post keeps, and what other applications write
  "<table onclick=RUN><caption onmouseover=RUN><a href='javascript:RUN'>x</a></caption><tr><td style=x onfocus=RUN tabindex=1 autofocus>x</td></tr></table>",
  "<table><tr><th align='left\" onmouseover=RUN' colspan='2\" onclick=RUN'><img src=x onerror=RUN></th></tr></table>",
  "<ol start='1\" onload=RUN'><li onpointerenter=RUN>x<ul><li><iframe src='javascript:RUN'></iframe></li></ul></li></ol>",
  "<u onmouseover=RUN>a</u><mark onanimationstart=RUN>b</mark><kbd id=x onfocus=RUN autofocus tabindex=1>c</kbd><sub style=x>d</sub>",
  "<h3 onclick=RUN><img src=x onerror=RUN></h3>",
  "<a href=' jAvAsCrIpT&colon;RUN'>x</a> <a href='java&Tab;script:RUN'>x</a> <a href=javascript&#58;RUN title='\" onclick=RUN'>x</a>",
  "<blockquote cite='javascript:RUN'>x</blockquote>",
  "<pre onclick=RUN><script>RUN</script><img src=x onerror=RUN></pre>",
  "<figure data-embed='\"onload=RUN' onclick=RUN><hr data-more='<img src=x onerror=RUN>'></figure>",
  '<img src="https://canary.invalid/x.png" alt="&quot; onerror=RUN x=&quot;" title="&lt;script>RUN&lt;/script>">',
  'https://www.youtube.com/watch?v="onload=RUN',
  "<!--more <img src=x onerror=RUN>-->",
  "[[<img src=x onerror=RUN>|<script>RUN</script>]] ![[javascript:RUN]]",
  "• <img src=x onerror=RUN>\n• [x](javascript:RUN)",
  "---\ntitle: <script>RUN</script>\n---\n\n> [!NOTE]<img src=x onerror=RUN>\n> x",
];
