import { ToldOnce } from "@/components/account/told-once";
import { Alert } from "@/components/ui/alert";

/** What went wrong at the identity provider; `next` stays where a success leads. */
export function SignInFailed({ sentence, next }: { sentence: string; next: string }) {
  return (
    <>
      <ToldOnce
        title="Authentication failed"
        description={sentence}
        variant="destructive"
        path={next === "/" ? "/auth" : `/auth?next=${encodeURIComponent(next)}`}
      />
      <noscript>
        <Alert variant="destructive" title="Authentication failed" className="mb-6">
          {sentence}
        </Alert>
      </noscript>
    </>
  );
}
