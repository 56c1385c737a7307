import { isCustomerNumber, isUserId } from '../callbacks/user-ids.js';
import { type BehaviourSettings, CONTEXT_SCOPES, type ContextScope } from '../control/behaviour.js';
import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import { inboundMessageId, scopedTo } from '../people/message-ids.js';
import type { People } from '../people/people.js';
import { type ContentSource, contentsOf, networkType, originOf, type Sender } from './inbound-contents.js';
import { flag, optionalText, timestampOf } from './inbound-fields.js';

const PARENT_USER_ID = /^[A-Z]{2}\.ENT\.[A-Za-z0-9]{1,128}$/;
/** What an ad says about itself, if a test does not care. */
const AD = {
  source_url: 'https://fb.me/2Zw4yQ',
  source_id: '120210000000000001',
  source_type: 'ad',
  headline: 'Ask us anything',
  body: 'We answer within the hour.',
  media_type: 'image',
  image_url: 'https://example.com/ad.jpg',
  ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ-QTwRiyYHAFDLMNDBH0CD3qpjd0HR4irJ6LEkR7JwLF4XvnO2E4Nx0',
  welcome_message: { text: 'How can we help?' },
};

/** The sender; a number gets the network's spelling. */
function senderOf(input: JsonObject, people: People): Sender {
  const { from, from_user_id: userId } = input;
  const parent = optionalText(input, 'parent_user_id');
  if (parent !== undefined && !PARENT_USER_ID.test(parent))
    throw new ControlError('parent_user_id must be a parent id, such as US.ENT.11815799212886844830');
  const above = parent === undefined ? {} : { from_parent_user_id: parent };
  if (from === undefined && userId !== undefined) {
    if (isUserId(userId)) return { from_user_id: userId, ...above };
    throw new ControlError('from_user_id must be a business-scoped user id, such as US.13491208655302741918');
  }
  if (!isCustomerNumber(from)) throw new ControlError('from must be the customer number, digits only');
  const waId = people.waIdOf(from);
  const own = people.userIdOf(waId);
  if (userId !== undefined && userId !== own)
    throw new ControlError(`from_user_id of ${from} is ${own}; leave it out, or leave out from to hide the number`);
  return { ...(flag(input, 'hide_number') ? {} : { from: waId }), from_user_id: own, ...above };
}

/** The id of our message to which an inbound one refers, by number or by user id. */
function contextIdOf(
  { context_id, context_scope }: JsonObject,
  { from_user_id }: Sender,
  usual: ContextScope,
): string | undefined {
  const scope = context_scope ?? usual;
  if (!CONTEXT_SCOPES.includes(scope as ContextScope))
    throw new ControlError(`context_scope must be one of ${CONTEXT_SCOPES.join(', ')}`);
  if (!isText(context_id)) return undefined;
  if (scope === 'as_given') return context_id;
  const scoped = scopedTo(from_user_id, context_id);
  if (scoped === null && context_scope !== undefined)
    throw new ControlError(`context_id: ${context_id} is not an id of the network`);
  return scoped ?? context_id;
}

/** Where the person comes from: an ad as it describes itself, or with `true` a usual one. */
function referralOf({ referral }: JsonObject): JsonObject | undefined {
  if (referral === undefined || referral === null || referral === false) return undefined;
  if (referral === true) return { ...AD };
  if (!isObject(referral)) throw new ControlError('referral must be an object, or true for a usual ad');
  return referral;
}

/** What an inbound message depends on besides what the test says. */
interface Surroundings extends Pick<ContentSource, 'media'> {
  /** Our own number, which a reply quotes. */
  display: string;
  people: People;
  settings: BehaviourSettings;
}

/** A message as the network passes it on. */
export type InboundMessage = JsonObject & Sender & { id: string; type: string };

/** Builds the inbound message for the body of `POST /_sim/inbound`. */
export async function inboundMessage(
  input: JsonObject,
  { display, people, settings, media }: Surroundings,
): Promise<InboundMessage> {
  const sender = senderOf(input, people);
  const referral = referralOf(input);
  const timestamp = timestampOf(input.timestamp);
  const group_id = optionalText(input, 'group_id');
  const contextId = contextIdOf(input, sender, settings.context_scope);
  const contents = await contentsOf(input, { sender, contextId, media });
  const quotes = contextId !== undefined && input.type !== 'reaction' && input.type !== 'edit';
  const origin = originOf(input);
  const context = { ...(quotes ? { from: display.replace(/\D/g, ''), id: contextId } : {}), ...origin };
  return {
    ...(Object.keys(context).length === 0 ? {} : { context }),
    ...sender,
    ...(group_id === undefined ? {} : { group_id }),
    id: isText(input.id) ? input.id : inboundMessageId(sender.from ?? sender.from_user_id),
    timestamp,
    type: networkType(String(input.type)),
    ...contents,
    ...(referral === undefined ? {} : { referral }),
  };
}
