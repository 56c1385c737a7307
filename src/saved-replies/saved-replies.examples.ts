import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of saved replies. */
export const SAVED_REPLIES_EXAMPLES: RoomExamples = {
  requests: {
    'saved-replies.create': one('A greeting with the customer’s name', {
      name: 'Parcel on its way',
      text: 'Hello {{first_name}}, your parcel left us today.',
    }),
    'saved-replies.change': one('A new text', { text: 'Hello {{first_name}}, your parcel left us this morning.' }),
  },
  values: {
    'SavedReplyDeletedResponse.message': 'Saved reply deleted',
    'SavedReplyRecord.text': 'Hello {{first_name}}, your parcel left us today.',
    'SavedReplyResponse.message': 'Saved reply created',
  },
};
