/** What the simulated network does with a number that ends so, and how many of a hundred people have one. */
const OUTCOMES: readonly (readonly [share: number, ending: string])[] = [
  // Not reachable: reported as sent, then as failed with 131026.
  [3, '9990001'],
  // Had enough marketing: fails with 131049.
  [1, '9990011'],
  // Has stopped marketing messages: fails with 131050, and opts out with that.
  [1, '9990012'],
  // The phone is off.
  [2, '9990015'],
  // Delivered, and never read.
  [22, '9990003'],
  // Taps the first button.
  [12, '9990005'],
  // Answers “hello”.
  [5, '9990004'],
];
/** Has no factor in common with 100, so that a hundred people in a row have every outcome once for each share, mixed. */
const STRIDE = 37;
/** Longer than any German number that is assigned, which leaves four digits before the ending. */
const PREFIX = '4915';
/** The ending of the first person with nothing special, who reads the message. */
const FIRST_READER = 1_000_000;

const FIRST_NAMES = 'Ada Ben Cleo Dev Elif Finn Gabi Hugo Ines Jun Kofi Lena Mira Noor Otto Pia Quin Rosa Sami Tove';
const LAST_NAMES =
  'Lindgrove Marlowick Fennbrook Tarnhill Ostermoor Quillford Ravenholt Bramblewick Dunmarsh Ashdell Elmsgate';
const firstNames = FIRST_NAMES.split(' ');
const lastNames = LAST_NAMES.split(' ');

/** Made-up people, the same ones each time. Most read a message, some tap or answer, and a few cannot be reached. */
export function audience(people: number): { phone: string; name: string }[] {
  return Array.from({ length: people }, (_, index) => ({ phone: phoneOf(index), name: nameOf(index) }));
}

function phoneOf(index: number): string {
  let place = (index * STRIDE) % 100;
  for (const [share, ending] of OUTCOMES) {
    if (place < share) return PREFIX + String(index).padStart(4, '0') + ending;
    place -= share;
  }
  return `${PREFIX}0000${FIRST_READER + index}`;
}

const nameOf = (index: number): string =>
  `${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]}`;
