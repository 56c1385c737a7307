import { badRequest } from '../../errors/domain-error.js';
import type { TemplateCard } from '../template-content.js';
import { replyComponent, urlComponent } from './button-filling.js';
import type { CardInput } from './sending-input.js';
import { type Filling, MEDIA_KINDS, mediaHeader } from './template-filling.js';

/**
 * Fills in the cards of a carousel, one entry per card in card order.
 *
 * @returns the `carousel` component, or null when there is no data to fill it with
 * @throws DomainError 400 when entries and cards differ in number, and for surplus parameters
 */
export function fillCarousel(
  cards: readonly TemplateCard[],
  data: readonly CardInput[] | null,
  filling: Filling,
): object | null {
  if (data === null || data.length === 0) {
    filling.missing.push('carousel_data');
    return null;
  }
  if (data.length !== cards.length) {
    throw badRequest(
      `carousel_data must have ${cards.length} entries, one per card of the template (got ${data.length})`,
    );
  }
  return {
    type: 'carousel',
    cards: data.map((entry, index) => {
      const card = cards[index];
      return { card_index: index, components: card === undefined ? [] : fillCard(card, entry, index, filling) };
    }),
  };
}

function fillCard(card: TemplateCard, entry: CardInput, cardIndex: number, filling: Filling): object[] {
  const field = `carousel_data[${cardIndex}]`;
  const kind = MEDIA_KINDS[card.headerFormat];
  const medium = filling.needMedia(`${field}.`, entry, kind);
  const header = medium === null ? [] : [mediaHeader(kind, medium)];
  const buttons: object[] = [];
  let urls = 0;
  let replies = 0;
  for (const [index, button] of card.buttons.entries()) {
    if (button.type === 'URL' && button.hasUrlVariable) {
      const at = `${field}.url_button_params[${urls}]`;
      const suffix = filling.need(at, entry.urlButtonParams[urls]);
      if (suffix !== null) buttons.push(urlComponent(index, filling.suffix(at, suffix, button.url)));
      urls += 1;
    } else if (button.type === 'QUICK_REPLY') {
      const payload = entry.buttonPayloads[replies] || button.text;
      buttons.push(replyComponent(`${field}.button_payloads[${replies}]`, index, payload));
      replies += 1;
    }
  }
  refuseSurplus(`${field}.url_button_params`, entry.urlButtonParams, urls, 'URL buttons with a variable');
  refuseSurplus(`${field}.button_payloads`, entry.buttonPayloads, replies, 'quick replies');
  return [...header, ...buttons];
}

function refuseSurplus(field: string, given: readonly string[], max: number, what: string): void {
  if (given.length <= max) return;
  throw badRequest(`${field} must have at most one entry for each of the card's ${max} ${what} (got ${given.length})`);
}
