import { picture } from './picture.js';

/** What a customer writes: a text, or a message as the simulator takes it. */
export type Line = string | Readonly<Record<string, unknown>>;

/** A made-up customer of a nursery, and what they write: the first lines by themselves, each other one once they were answered. */
export interface Story {
  readonly name: string;
  /** Written one after the other; the first ones of a story. */
  readonly opens: readonly Line[];
  /** Each follows an answer. */
  readonly answers: readonly string[];
  /** Hours ago; more than 24 hours ago, only a template reaches the customer. */
  readonly hoursAgo?: number;
}

const photo = (caption: string): Line => {
  const media = { mime_type: 'image/png', caption, bytes_base64: picture().toString('base64') };
  return { type: 'image', media };
};

export const STORIES: readonly Story[] = [
  {
    name: 'Greta Holmvik',
    opens: [photo('One pot arrived cracked, the big terracotta one.'), 'Could I have the glazed one instead?'],
    answers: ['It says TC-0417 under the base.', 'Thank you for being so quick'],
  },
  { name: 'Wiktor Zalenko', opens: ['When will the apple trees be back?'], answers: ['Yes, please'], hoursAgo: 31 },
  {
    name: 'Sana Mirzavel',
    opens: ['Are the tulips in?', 'The red ones, I mean'],
    answers: ['Then ten of them, please', 'Great, I will come on Saturday'],
  },
  {
    name: 'Dario Pellacosta',
    opens: ['Is the greenhouse kit really 2.4 m? The page says 2.2'],
    answers: ['All right. And how long is the delivery?'],
    hoursAgo: 3,
  },
  {
    name: 'Amina Tessoude',
    opens: [
      { type: 'location', location: { latitude: 48.2082, longitude: 16.3738, name: 'Our new garden' } },
      'Do you deliver there?',
    ],
    answers: ['Perfect'],
  },
  {
    name: 'Felix Narrowby',
    opens: [
      {
        type: 'order',
        order: {
          catalog_id: '1',
          text: 'Can you deliver by Friday?',
          product_items: [
            { product_retailer_id: 'pot-glazed-30', quantity: 2, item_price: 18.5, currency: 'EUR' },
            { product_retailer_id: 'soil-40l', quantity: 1, item_price: 9, currency: 'EUR' },
          ],
        },
      },
    ],
    answers: ['Friday afternoon is fine'],
    hoursAgo: 22.6,
  },
  { name: 'Chandra Velupan', opens: ['Second bag arrived, thank you'], answers: [], hoursAgo: 50 },
  { name: 'Rui Almendro', opens: ['My order 20418 has not come yet'], answers: ['It is the blue gate on the left'] },
  { name: 'Leyla Askerin', opens: ['Hello', 'Do you have gift cards?'], answers: ['50 euros, please'] },
  {
    name: 'Mads Orrinder',
    opens: ['How do I keep slugs away from hostas without poison?'],
    answers: ['I will try that'],
  },
  {
    name: 'Pia Vantrell',
    opens: [photo('Is this pot frost-proof?')],
    answers: ['It stands on the balcony all winter', 'Thank you'],
  },
  { name: 'Benno Kastelier', opens: ['Can I still change my order?'], answers: ['Make it three instead of two'] },
];
