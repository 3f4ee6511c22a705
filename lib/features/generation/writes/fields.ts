import "server-only";
import { generate } from "@/lib/ai/generate";
import { searchFieldsPrompt } from "@/lib/ai/prompts/search-fields";
import type { Actor } from "@/lib/auth/actor";
import { ownedContentFields } from "@/lib/features/content/reads";
import { EXCERPT_MAX, KEYWORD_MAX, META_DESCRIPTION_MAX, META_TITLE_MAX } from "@/lib/features/content/rules";
import { aiProviderOf, pieceContext } from "@/lib/features/generation/reads";
import type { ProposeFieldsOut } from "@/lib/features/generation/schema";
import { permalinkSlug } from "@/lib/utils/slug";
import { storableUpTo } from "@/lib/utils/text";

/** The characters of a text that the AI provider is given: about 3,500 words. Users pay per word. */
const TEXT_MAX = 20_000;

/**
 * Proposes what search engines and lists of posts say of a piece, in one call, by the text that is saved. Nothing is saved: the
 * user takes what they like. Throws MISSING_API_KEY and the provider's failures.
 */
export async function proposeFields(actor: Actor, id: string): Promise<ProposeFieldsOut> {
  const { piece, input } = await pieceContext(actor, id);
  const { body } = await ownedContentFields(actor, id, { body: true });
  const provider = await aiProviderOf(actor);
  const text = storableUpTo(body, TEXT_MAX);
  const { value } = await generate(provider, searchFieldsPrompt({ ...input, text, outline: piece.outline ?? "" }));
  const { focusKeyword, seoTitle, metaDescription, slug, excerpt } = value;
  return {
    focusKeyword: fitted(focusKeyword, KEYWORD_MAX),
    metaTitle: fitted(seoTitle, META_TITLE_MAX),
    metaDescription: fitted(metaDescription, META_DESCRIPTION_MAX),
    slug: permalinkSlug(slug),
    excerpt: fitted(excerpt, EXCERPT_MAX),
  };
}

function fitted(text: string, max: number): string {
  return storableUpTo(text, max).trim();
}
