import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of connecting business phones. */
export const CONNECT_EXAMPLES: RoomExamples = {
  requests: {
    'businessPhones.connect': one('A number with its token', {
      phone_number_id: '106540352242922',
      waba_id: '102290129340398',
      token: 'EAAGm0PX4ZCpsBA',
      pin: '123456',
    }),
    'businessPhones.change': one('Another business account', { waba_id: '102290129340398' }),
  },
};
