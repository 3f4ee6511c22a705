import { ExternalLink } from "lucide-react";
import { textLink } from "@/components/shared/text-link";
import { normalizeSiteUrl } from "@/lib/features/sites/rules";
import { homeAddress } from "@/lib/wordpress/site-address";

/** Where users make an API key. */
export function ApiKeyLink() {
  return <SecretLink href="https://platform.openai.com/api-keys">Create a key at OpenAI</SecretLink>;
}

/** Where users make an application password: on their own site, once its address is typed; at `page`, if that is known. */
export function ApplicationPasswordLink({ site, page }: { site: string; page?: string | undefined }) {
  const href = page ?? profileOf(site.trim());
  return href ? <SecretLink href={href}>Create an application password on your site</SecretLink> : null;
}

/** The profile screen of the typed site; null while the address is not one. */
function profileOf(typed: string): string | null {
  try {
    const home = homeAddress(normalizeSiteUrl(typed));
    const isWhole = home.hostname.includes(".") || home.hostname === "localhost";
    return isWhole ? new URL("wp-admin/profile.php#application-passwords-section", home).href : null;
  } catch {
    return null;
  }
}

function SecretLink({ href, children }: { href: string; children: string }) {
  return (
    <p className="text-sm">
      <a href={href} target="_blank" rel="noopener noreferrer" className={textLink}>
        {children}
        <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5 align-[-2px]" />
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    </p>
  );
}
