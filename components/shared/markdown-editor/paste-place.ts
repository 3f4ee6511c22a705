import { type ChangeDesc, type EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

type Place = { from: number; to: number };

/** One paste. `text`: its plain text. */
export type Paste = { readonly text: string };

type Told = Place & { isComing: boolean };

/** Where a paste is about to come, or has come; null forgets it. */
const placed = StateEffect.define<{ paste: Paste; place: Told | null }>({
  map: ({ paste, place }, changes) => ({ paste, place: place && moved(place, changes) }),
});

/** In the order in which they were pasted. */
type Places = ReadonlyMap<Paste, Told>;

/** The places of pastes, which move with what is typed meanwhile. */
export const pastePlaces = StateField.define<Places>({
  create: () => new Map(),
  update(places, { changes, effects }) {
    const told = effects.filter((effect) => effect.is(placed));
    if (told.length === 0 && (changes.empty || places.size === 0)) return places;
    const all = [...places];
    const arrived = all.findIndex(([paste]) =>
      told.some(({ value }) => value.paste === paste && !value.place?.isComing),
    );
    const next = new Map(all.map(([paste, place], at) => [paste, moved(place, changes, arrived >= 0 && at > arrived)]));
    for (const { value } of told) {
      if (value.place) next.set(value.paste, value.place);
      else next.delete(value.paste);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, signs),
});

/**
 * What is typed where a paste will arrive goes after it; an earlier paste goes before it. What is typed beside one that has
 * arrived is not part of it.
 */
function moved(place: Told, changes: ChangeDesc, isBehind = false): Told {
  const from = changes.mapPos(place.from, place.isComing && !isBehind ? -1 : 1);
  return { ...place, from, to: Math.max(from, changes.mapPos(place.to, -1)) };
}

/** The effects that a paste will come to a place, that it has come to one, and that it needs none any more. */
export const comesTo = (paste: Paste, place: Place) => placed.of({ paste, place: { ...place, isComing: true } });
export const cameTo = (paste: Paste, place: Place) => placed.of({ paste, place: { ...place, isComing: false } });
export const forgotten = (paste: Paste) => placed.of({ paste, place: null });

/** Where a paste will come or has come; undefined once it is forgotten. */
export function placeOf(state: EditorState, paste: Paste): Place | undefined {
  return state.field(pastePlaces, false)?.get(paste);
}

/** Pastes that have not come yet, in the order in which they were pasted. */
export function comingPastes(state: EditorState): [Paste, Place][] {
  return [...state.field(pastePlaces)].filter(([, { isComing }]) => isComing);
}

function signs(places: Places): DecorationSet {
  const coming = [...places.values()].filter(({ isComing }) => isComing);
  return Decoration.set(
    coming.map(({ from }) => SIGN.range(from)),
    true,
  );
}

/** Its style shows it after a moment: most pastes are there sooner. */
class Sign extends WidgetType {
  toDOM(): HTMLElement {
    const sign = document.createElement("span");
    sign.className = "cm-pasting";
    sign.textContent = "Pasting…";
    return sign;
  }
  override eq(): boolean {
    return true;
  }
}

const SIGN = Decoration.widget({ widget: new Sign(), side: 1 });
