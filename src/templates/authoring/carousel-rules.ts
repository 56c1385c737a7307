import { badRequest, templateRuleBroken } from '../../errors/domain-error.js';
import { bothNamed } from '../../media/media.errors.js';
import { checkButtons } from './button-rules.js';
import type { CardDraft, CarouselDraft } from './template-draft.js';
import { checkBodyText, checkTtl } from './template-rules.js';
import { checkNoVariables, checkVariables } from './text-rules.js';

/** The network accepts no other buttons on cards. */
const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'];

/**
 * Checks a carousel against all the network's rules we know, so that the caller gets our error instead of its refusal.
 *
 * @throws DomainError 422 `{detail}` naming the card, the rule and the value; 400 for a card without a file, or with two
 */
export function checkCarousel(draft: CarouselDraft): void {
  checkTtl(draft.messageSendTtlSeconds, 'MARKETING');
  checkVariables([{ field: 'body.text', text: checkBodyText(draft.body) }]);
  const { cards } = draft;
  for (const [index, card] of cards.entries()) checkCard(`cards[${index}]`, card);
  checkUniformity(cards);
  for (const [index, { mediaUrl, mediaId }] of cards.entries()) {
    if (mediaUrl === null && mediaId === null) {
      throw badRequest(`cards[${index}].media_url is required, unless media_id is given`);
    }
    if (mediaUrl !== null && mediaId !== null) throw bothNamed(`cards[${index}].`);
  }
}

function checkCard(field: string, { bodyText, buttons }: CardDraft): void {
  if (bodyText !== null) checkNoVariables(`${field}.body_text`, bodyText);
  const wrong = buttons.findIndex(({ type }) => !CARD_BUTTONS.includes(type));
  if (wrong >= 0) {
    throw templateRuleBroken(
      `${field}.buttons[${wrong}].type must be one of ${CARD_BUTTONS.join(', ')} on a card (got ${buttons[wrong]?.type})`,
    );
  }
  checkButtons(buttons, { field: `${field}.buttons`, offerCode: null });
}

/** All cards must have the same header format, the same button types in the same order, and all or none a text. */
function checkUniformity(cards: readonly CardDraft[]): void {
  refuseDifference(cards, 'header_format', ({ headerFormat }) => String(headerFormat));
  refuseDifference(cards, 'button types in the same order', ({ buttons }) =>
    buttons.map(({ type }) => type).join(', '),
  );
  const [first, ...others] = cards;
  const different = others.findIndex((card) => (card.bodyText === null) !== (first?.bodyText === null));
  if (different >= 0) {
    const [has, lacks] = first?.bodyText === null ? [different + 1, 0] : [0, different + 1];
    throw templateRuleBroken(
      `either all cards or no cards must have body_text (cards[${has}] has one, cards[${lacks}] has none)`,
    );
  }
}

function refuseDifference(cards: readonly CardDraft[], what: string, read: (card: CardDraft) => string): void {
  const [first = '', ...others] = cards.map(read);
  const different = others.findIndex((found) => found !== first);
  if (different < 0) return;
  throw templateRuleBroken(
    `all cards must have the same ${what} (cards[0] has ${first}, cards[${different + 1}] has ${others[different]})`,
  );
}
