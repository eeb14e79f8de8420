/** The cards that other pages can show. */
import { share } from '../messages/en/share.tsx';

/** Their names in addresses, in the order in which they are offered. */
export const CARD_NAMES = ['pad', 'loss', 'accuracy', 'filters', 'mistakes', 'network', 'inspect'] as const;
export type CardName = (typeof CARD_NAMES)[number];

export const isCard = (name: string | undefined): name is CardName =>
  CARD_NAMES.some((known) => known === name);

/** CSS pixels that it needs in a column of an article. */
export const CARD_HEIGHTS: Readonly<Record<CardName, number>> = {
  pad: 640,
  loss: 480,
  accuracy: 480,
  filters: 300,
  mistakes: 720,
  network: 980,
  inspect: 1100,
};

/** What a page of somebody else contains to show a card. @param address that of embed.html */
export function snippetOf(
  card: CardName,
  address: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ card, ...settings }).toString().replaceAll('&', '&amp;');
  const title = `wgrad: ${share.cards[card].toLowerCase()}`;
  return `<iframe src="${address}?${query}" title="${title}" width="100%" height="${CARD_HEIGHTS[card]}" style="border: 0" loading="lazy"></iframe>`;
}
