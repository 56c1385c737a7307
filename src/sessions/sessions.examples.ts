import { EXAMPLE_ID, one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of sessions. */
export const SESSIONS_EXAMPLES: RoomExamples = {
  requests: {
    'session.create': one('With a password', { email: 'olive@shop.example', password: 'correct horse battery' }),
    'session.changePassword': one('A new password', {
      current: 'correct horse battery',
      next: 'seven quiet garden lamps',
    }),
  },
  values: {
    'SignedInUser.user_id': EXAMPLE_ID,
    'EnterableAccount.name': 'Shop',
    'ChoosableOrganisation.name': 'Shop Ltd',
    'SessionResponse.scopes': ['campaigns:read', 'contacts:read'],
    'SessionResponse.must_set_password': false,
    'SessionRecord.device': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'SessionRecord.is_current': true,
  },
};
