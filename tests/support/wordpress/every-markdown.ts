/** Everything our Markdown supports, and what WordPress is known to change. */
export const EVERYTHING = `# A title of its own

Words that are **bold**, _leaning_, ~~gone~~ and \`code with <tags> & [gallery]\`, a [link](https://example.com/?a=1&b=2 "with a 'title'"),
an address www.example.com, one <https://example.com/x_y_z> and a mail to me@example.com. 3 > 2 & 1 < 2; "quotes", it's 5\\*6.

## Two

### Three & more

[Back to it](#three--more), and [to a heading with an id of its own](#own): List<T>, **重要：**请注意。

### Owned {#own}

#### Four

##### Five

###### Six

One line  
and another\\
and a third.

- one
- two
  - two and a half
    1. deep
    2. deeper
- three

7. seven
8. eight

   with a second paragraph

   \`\`\`
   code of the eighth
   \`\`\`

- loose

- items with \`code\`

- [x] done
- [ ] open

> A quote of **two** paragraphs
>
> - with a list
>
> > and a quote

\`\`\`js
const html = "<b>&amp;</b>"; // [gallery] --> <!-- wp:paragraph -->

https://example.com/embedded
\`\`\`

\`\`\`
\`\`\`

| Left | Centre | Right | None |
| :--- | :----: | ----: | ---- |
| a    | **b**  | \`c\`   | [d](https://example.com) |
| <br> | x<br>y |       | &amp; |

![A picture & more](https://example.com/picture.png?w=1&h=2 "A \\"caption\\" & <b>more</b> --> 🌱 بوابة")

[![Linked](https://example.com/linked.png)](https://example.com/target)

Text with ![an inline picture](https://example.com/inline.png) in it.

---

A claim.[^1] Another.[^note] The first again.[^1]

<div class="raw">Raw <em>HTML</em></div>

H<sub>2</sub>O, x<sup>2</sup>, <u>under</u>, <mark>marked</mark>, <kbd>Ctrl</kbd>, <a href="https://example.com/a?b=1&amp;c=2" title="T">a link</a>.

<table><caption>Prices</caption><tr><th>Plan<th>Price</tr>

<tr><td>Basic</td><td align="right">**9**</td></tr><tfoot><tr><td>All</td><td>9</td></tr></tfoot></table>

<ol start="3"><li>Three<ul><li>a</li></ul></li><li>Four</li></ol>

<h3>A heading of HTML</h3>

https://www.youtube.com/watch?v=abc_def&t=10

https://open.spotify.com/track/1a

<!--more Go on-->

Line by line
of an address

<script>alert(1)</script>

<!-- a comment -->

日本語のテキスト 🌱 \u00a0 end -- and --- dashes --> arrows

[^1]: The source, with a [link](https://example.com).

[^note]: A second note

    of two paragraphs.
`;
