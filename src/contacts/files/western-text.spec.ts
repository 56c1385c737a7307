import iconv from 'iconv-lite';
import { WesternText } from './western-text.js';

/** Whether text written in a code page makes sense when it is read as Windows-1252. */
function isPlausible(text: string, encoding: string): boolean {
  const western = new WesternText();
  western.add(iconv.decode(iconv.encode(text, encoding), 'windows-1252'));
  return western.isPlausible();
}

it.each([
  'Jürgen',
  'Zoë',
  'François',
  'Núñez',
  'Ærø',
  'Åse',
  'Þórður',
  'Sigurður',
  'Ýr',
  'São João',
  'créée',
  'Müller–Weiß GmbH & Co. “Grün”',
  'O’Neil',
  '5 € … 10 £',
  'Œuvre',
  'Škoda',
  'Žan',
  'Søren',
  'Nicolò',
  'col·legi',
  '¿qué? ¡sí!',
  '«été»',
  'nº 5, 1ª, 20 m², §§ 1–3, 20 °C, ½',
  '„Über“ ‚Ähren‘',
  'Jürgen Þór Ýmir Zoë Æsa',
  'Tõnu, Šmidt',
])('%s is text in Windows-1252', (text) => {
  expect(isPlausible(text, 'windows-1252')).toBe(true);
});

it.each([
  ['windows-1251', 'Иван'],
  ['windows-1251', 'Катя\nОлёна\n'],
  ['koi8-r', 'Иван'],
  ['windows-1253', 'Αθηνά'],
  ['windows-1254', 'Gülşen'],
  ['windows-1254', 'Barış\nYıldız\nÖzgür\n'],
  ['windows-1255', 'דנה'],
  ['windows-1256', 'محمد'],
  ['windows-874', 'สมชาย'],
  ['windows-1250', 'Łukasz'],
  ['windows-1250', 'Paweł\nGrażyna\nZofia\n'],
  ['windows-1250', 'Jiří\nDvořáková\nŠtěpán\nLukáš\n'],
  ['windows-1250', 'Žofie Černá'],
  ['macintosh', 'Müller'],
  ['macintosh', 'René'],
  ['macintosh', 'Straße 5, Hélène'],
  ['cp850', 'Jürgen'],
  ['cp850', 'Bäcker\nKönig\n'],
  ['gbk', '张伟'],
  ['big5', '陳美玲'],
  ['shift_jis', '田中 さくら'],
  ['euc-jp', '田中'],
  ['euc-kr', '김민준'],
  ['utf-8', 'Jürgen'],
  ['utf-8', 'Иван'],
])('text in %s is not, as %s', (encoding, text) => {
  expect(isPlausible(text, encoding)).toBe(false);
});

it('may have a few words that look foreign among many', () => {
  const western = new WesternText();
  for (let row = 0; row < 20; row += 1) western.add('Jürgen\n');
  western.add('Mu¨ller\n');
  expect(western.isPlausible()).toBe(true);
  for (let row = 0; row < 3; row += 1) western.add('£ukasz\n');
  expect(western.isPlausible()).toBe(false);
});
