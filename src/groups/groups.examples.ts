import { EXAMPLE_IDS, one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of groups. */
export const GROUPS_EXAMPLES: RoomExamples = {
  requests: {
    'groups.create': one('A group with two contacts', {
      name: 'Customers in Berlin',
      description: 'Bought something this year',
      tags: ['berlin'],
      contact_ids: EXAMPLE_IDS,
    }),
    'groups.change': one('A new name', { name: 'Customers in Potsdam', description: null }),
    'groups.addContacts': one('Two contacts', { contact_ids: EXAMPLE_IDS }),
    'groups.removeContacts': one('Two contacts', { contact_ids: EXAMPLE_IDS }),
  },
  values: {
    'GroupDeletedResponse.message': 'Group deleted',
    'GroupMembersResponse.message': 'Contacts added to the group',
    'GroupResponse.message': 'Group created',
  },
};
