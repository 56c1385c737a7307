import { EXAMPLE_ID, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of agents. */
export const AGENTS_EXAMPLES: RoomExamples = {
  values: {
    'AgentRecord.user_id': EXAMPLE_ID,
  },
};
