"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { BesideText } from "@/components/content/draft";
import {
  FieldProposal,
  type FieldProposals,
  ProposeFields,
  useFieldProposals,
} from "@/components/content/field-proposals";
import { problemOf } from "@/components/content/saver-state";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Field } from "@/components/shared/field";
import { textLink } from "@/components/shared/text-link";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { ContentOut } from "@/lib/features/content/schema";
import { DESCRIPTION_PIXELS, DESCRIPTION_SIZE, TITLE_PIXELS, TITLE_SIZE } from "@/lib/features/content/seo/limits";
import { widthOf } from "@/lib/features/content/seo/widths";
import { counted } from "@/lib/features/content/seo/wording";
import { permalinkSlug } from "@/lib/utils/slug";

/** What search engines and lists of posts say of the piece. It is saved by itself, as the text is. */
export function SearchFields({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const { fields } = editor;
  const title = fields.title.trim();
  const proposals = useFieldProposals(piece, editor);
  const shared = { editor, proposals };
  return (
    <section aria-label="Search engines" className="content-start md:max-xl:col-span-2">
      <h2 className="mb-1 font-medium">Search engines</h2>
      <p className="mb-3 text-muted-foreground text-sm">
        {piece.lacksSearchFields ? (
          <>
            Publishing sends the slug and the excerpt. Your site does not accept the SEO title, meta description and
            focus keyword.{" "}
            <Link href="/settings#fields-plugin" className={textLink}>
              Get the plugin for it
            </Link>
          </>
        ) : (
          "Publishing sends what your site accepts of these."
        )}
      </p>
      <ProposeFields proposals={proposals} />
      <div className="grid gap-x-6 gap-y-4 md:max-xl:grid-cols-2">
        <SearchField
          {...shared}
          name="focusKeyword"
          label="Focus keyword"
          hint="What readers search for to find this."
        />
        <SearchField
          {...shared}
          name="metaTitle"
          label="SEO title"
          placeholder={title}
          hint={lengthOf(fields.metaTitle, TITLE_SIZE, TITLE_PIXELS) ?? "Empty: the title is used."}
        />
        <SearchField
          {...shared}
          name="metaDescription"
          label="Meta description"
          isLong
          hint={
            lengthOf(fields.metaDescription, DESCRIPTION_SIZE, DESCRIPTION_PIXELS) ??
            "Empty: search engines choose a passage of the text."
          }
        />
        <SearchField
          {...shared}
          name="slug"
          label="Slug"
          placeholder={permalinkSlug(title)}
          hint={
            piece.wpPermalink
              ? "The live post gets a new one at its next update, and WordPress redirects the old address."
              : "The end of the post's address."
          }
        />
        <SearchField
          {...shared}
          name="excerpt"
          label="Excerpt"
          isLong
          hint="Shown in lists of posts. Empty: your theme takes the beginning."
        />
      </div>
    </section>
  );
}

function SearchField({
  editor,
  proposals,
  name,
  label,
  hint,
  placeholder,
  isLong = false,
}: {
  editor: ContentEditorState;
  proposals: FieldProposals;
  name: keyof BesideText;
  label: string;
  hint: ReactNode;
  placeholder?: string;
  isLong?: boolean;
}) {
  const value = editor.fields[name];
  const error = problemOf(name, value);
  const Control = isLong ? Textarea : Input;
  return (
    <div className="grid content-start gap-1.5">
      <Field label={label} hint={hint} {...(error ? { error } : {})}>
        <Control
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          onChange={(event) => editor.edit(name, event.target.value.replace(/[\r\n]+/g, " "))}
        />
      </Field>
      <FieldProposal name={name} proposals={proposals} />
    </div>
  );
}

/** How long a text is, and about how much of its place in a list of results it takes. */
function lengthOf(text: string, size: number, pixels: number): string | undefined {
  const characters = [...text.trim()].length;
  if (characters === 0) return undefined;
  const width = Math.round(widthOf(text.trim(), size)).toLocaleString("en-US");
  return `${counted(characters, "character")}, about ${width} of ${pixels} pixels`;
}
