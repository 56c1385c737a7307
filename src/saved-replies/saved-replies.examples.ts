import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of saved replies. */
export const SAVED_REPLIES_EXAMPLES: RoomExamples = {
  requests: {
    'savedReplies.create': one('A greeting with the customer’s name', {
      name: 'Parcel on its way',
      text: 'Hello {{first_name}}, your parcel left us today.',
    }),
    'savedReplies.change': one('A new text', { text: 'Hello {{first_name}}, your parcel left us this morning.' }),
  },
  values: {
    'CreateSavedReplyRequest.name': 'Parcel on its way',
    'UpdateSavedReplyRequest.name': 'Parcel on its way',
    'SavedReplyDeletedResponse.message': 'Saved reply deleted',
    'SavedReplyRecord.text': 'Hello {{first_name}}, your parcel left us today.',
    'SavedReplyResponse.message': 'Saved reply created',
  },
};
