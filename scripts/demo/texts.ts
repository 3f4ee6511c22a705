/** Texts that the demo's user has written by hand. */
export const TOMATOES = `Every February somebody asks me for tomato seed and a date. The seed is easy. The date depends on one number that you can look up in two minutes, and on a rule that you can keep in your head.

## Start from the far end

Find the average last frost where you live. Tomatoes go out about a week after it, once the nights stay above **10 °C**, and before that they want six to eight weeks under cover. If your last frost falls on 12 May, count back from 19 May: you land between **24 March and 7 April**.

Earlier is not better. A plant that has waited ten weeks on a windowsill is tall, pale and root-bound. A short, stocky one that is *three weeks younger* overtakes it before the end of June.

## What to have on the shelf

- A peat-free mix, damp as a wrung-out sponge
- Cells no smaller than five centimetres
- One lamp, or a south window and a tray that you turn every morning

If you only have the windowsill, start in the second week of the range. The light in early April is worth more than the extra days.

## Week by week

| Week | What happens | What you do |
| --- | --- | --- |
| 1 | Nothing to see | Keep the tray at 20 °C, with a lid |
| 2 | The first loops come up | Lid off, lamp on, cooler at night |
| 4 | The second pair of true leaves | Pot up, deep, to the lowest leaves |
| 6 | Stems as thick as a pencil lead | Begin to harden off on mild days |

## When you are late

Buy plants. I mean it: a good nursery plant on 19 May is ahead of anything you could sow in the last week of April, and it costs less than the lamp. Sow basil on that shelf instead, and do the tomatoes yourself next year.
`;

export const NO_DIG = `Our soil is the kind that a potter would pay for. In March it sticks to the spade, in July it rings when you hit it. Three years ago we stopped digging it, and this is an honest account of what came of that.

## The first spring: cardboard and doubt

We laid cardboard over the grass, overlapped it by a hand's width and put **ten centimetres of compost** on top. Potatoes and squash went straight in. Both grew. Carrots forked at the exact depth where the compost ended and the clay began.

## The second spring: worms

The cardboard was gone. Where it had been, the clay came up in crumbs, full of holes as wide as a straw. We added five centimetres of compost and nothing else. Beans and onions did as well as on the old dug bed beside it; carrots were still short.

## The third spring: the fork goes in

A garden fork now sinks to its shoulder under its own weight. That is the whole result, and it took **two cubic metres of compost** for twelve square metres. If you have to buy all of it, that is real money. If you have horses next door, it is three Saturdays.

## Would we do it again?

Yes, with two changes:

1. Start in autumn, so that the first winter does some of the work.
2. Give the first year to potatoes alone. They forgive everything.
`;

export const FROST_CLOTH = `The number on the packet is the weight of a square metre in grams. It tells you how much warmth the cloth holds, and also how much light it costs. You cannot have one without the other.

## What we measured

Three strips over the same row of lettuce, four clear nights in April, a thermometer at leaf height.

| Weight | Warmer than outside | Light that gets through |
| --- | --- | --- |
| 17 g | 1.5 °C | 90 % |
| 30 g | 2.5 °C | 75 % |
| 60 g | 4 °C | 45 % |

## Which one to buy

Buy **30 grams** if you buy one. It carries hardy seedlings through an ordinary spring night and can stay on for a week without making them pale. Use 60 grams for single nights only, and take it off before breakfast.

## How to lay it

Lay it loosely and weigh the edges down with boards rather than pegs: pegs tear it in the first storm. A cloth that touches the leaves still protects them, except where it is wet and freezes on.
`;
