import type { RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of messages. */
export const MESSAGES_EXAMPLES: RoomExamples = {
  values: {},
};
