import { isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import type { CustomerReply } from '../messages/accepted-message.js';
import type { CardShape, TemplateShape } from '../templates/template-shape.js';

/** A tap on the first quick reply of `card`, with the payload from the message or else the button's text. */
function tapOn(card: CardShape, components: JsonObject[]): CustomerReply | null {
  const index = card.buttons.findIndex(({ type }) => type === 'QUICK_REPLY');
  const button = card.buttons[index];
  if (!button) return null;
  const component = components.find((each) => each.type === 'button' && Number(each.index) === index);
  const [parameter] = objectsOf(component?.parameters);
  return { type: 'button', payload: isText(parameter?.payload) ? parameter.payload : button.text, text: button.text };
}

/** The tap with which 9990005 replies to `message`; null when it has no button to tap. */
export function replyTo(message: JsonObject, shape: TemplateShape | null): CustomerReply | null {
  if (shape && isObject(message.template)) {
    const components = objectsOf(message.template.components);
    const own = tapOn(shape, components);
    const [card] = shape.cards ?? [];
    if (own || !card) return own;
    const cards = objectsOf(components.find(({ type }) => type === 'carousel')?.cards);
    return tapOn(card, objectsOf(cards.find(({ card_index }) => card_index === 0)?.components));
  }
  const action = isObject(message.interactive) ? message.interactive.action : undefined;
  const [button] = isObject(action) ? objectsOf(action.buttons) : [];
  const reply = button?.reply;
  if (!isObject(reply)) return null;
  return { type: 'button_reply', id: String(reply.id), title: String(reply.title) };
}

/** What 9990016 picks: the first row of the list, or a row of its own when `message` is no list. */
export function listReplyTo({ interactive }: JsonObject): CustomerReply {
  const action = isObject(interactive) ? interactive.action : undefined;
  const [section] = isObject(action) ? objectsOf(action.sections) : [];
  const [row] = objectsOf(section?.rows);
  if (!row) return { type: 'list_reply', id: 'row-1', title: 'First row', description: 'The first of the list' };
  const { id, title, description } = row;
  const shown = { id: String(id), title: String(title) };
  return { type: 'list_reply', ...shown, ...(isText(description) ? { description } : {}) };
}
