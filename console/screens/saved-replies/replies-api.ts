import { accountId } from '../../data/account.js';
import { ONCE, parley } from '../../data/api.js';
import { queries, useQuery } from '../../data/query.js';
import type { SavedReply } from './reply-rules.js';

const MAX_LISTED = 100;

/** What somebody has typed. */
export interface ReplyFields {
  readonly name: string;
  readonly text: string;
}

/** The key of the list, under which every screen finds it. */
export const repliesKey = (): readonly string[] => ['saved-replies', accountId.peek() ?? ''];

/** All of them: an account has at most 1,000. */
export const useReplies = () =>
  useQuery<readonly SavedReply[]>(['saved-replies', accountId.value ?? ''], async (signal) => {
    const replies: SavedReply[] = [];
    for await (const reply of parley.savedReplies.list({ limit: MAX_LISTED }, { signal })) replies.push(reply);
    return replies;
  });

/** Shows what was saved before the list is read again. */
function keep(reply: SavedReply): void {
  queries.setQueryData<readonly SavedReply[]>(repliesKey(), (all = []) => [
    reply,
    ...all.filter(({ id }) => id !== reply.id),
  ]);
}

/** @throws ParleyError 400 for fields that are refused, 409 when another one has the name, 404 when it is gone */
export async function saveReply(id: string | null, fields: ReplyFields): Promise<void> {
  const { saved_reply } =
    id === null ? await parley.savedReplies.create(fields, ONCE) : await parley.savedReplies.change(id, fields, ONCE);
  keep(saved_reply);
}

export async function deleteReply(id: string): Promise<void> {
  await parley.savedReplies.delete(id, ONCE);
  forgetReply(id);
}

/** Takes one out of the list that is gone. */
export const forgetReply = (id: string): void =>
  void queries.setQueryData<readonly SavedReply[]>(repliesKey(), (all) => all?.filter((one) => one.id !== id));
