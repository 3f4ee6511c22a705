import { OneTimeToast } from "@/components/account/one-time-toast";
import { Notice } from "@/components/shared/notice";

/** The failure of a Google sign-in. `next`: where a success leads. */
export function SignInFailed({ sentence, next }: { sentence: string; next: string }) {
  return (
    <>
      <OneTimeToast
        title="Authentication failed"
        description={sentence}
        variant="destructive"
        path={next === "/" ? "/auth" : `/auth?next=${encodeURIComponent(next)}`}
      />
      <noscript>
        <Notice variant="destructive" title="Authentication failed" className="mb-6">
          {sentence}
        </Notice>
      </noscript>
    </>
  );
}
