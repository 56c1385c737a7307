import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of conversations. */
export const CONVERSATIONS_EXAMPLES: RoomExamples = {
  requests: {
    'conversations.assign': one('To an agent', {
      user_id: '019c1363-49c0-789b-9355-00765dc0e381',
      note: 'Speaks Portuguese',
    }),
    'conversations.unassign': one('The conversation that was active last', {}),
    'conversations.reopen': one('The conversation that was active last', {}),
    'conversations.addNote': one('For a colleague', { text: 'Wants to be called back after 5 p.m.' }),
    'conversations.resolve': one('With a reason', { reason: 'Answered' }),
  },
  values: {
    'ConversationActionResponse.message': 'Conversation assigned',
  },
};
