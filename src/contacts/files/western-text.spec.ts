import fc from 'fast-check';
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
  'Daði',
  'Iðunn, Eyþór',
  'Ýr, Ýmir',
  'Škoda, Søren, Nicolò',
  'O’Brien, O´Brien, D’Angelo',
  'Mo–Fr, Köln–Bonn, SÜD–WEST, 9–17 Uhr',
  '© 2026 Weiß, Weiß™, „Weiß“ … ja',
  'ŠKODA, KRIŽAN, DRŽAJ, ŽAN',
  'MÜLLER, JOSÉ, MUÑOZ, STRAßE, ÇELIK',
  'Tomšič, Puškin, Šmidt, Krška, Aleš'.replace('č', 'c'),
  '‹Müller›, 5 €, 5€',
  'Novotný, Müller, Sørensen',
  'Það er gott að búa hér. Húsið er rautt, og við erum ekki með neitt. Þegar þeir komu var orðið dimmt.',
])('%s is text in Windows-1252', (text) => {
  expect(isPlausible(text, 'windows-1252')).toBe(true);
});

it.each([
  ['windows-1251', 'Иван'],
  ['windows-1251', 'Катя\nОлёна\n'],
  ['koi8-r', 'Иван'],
  ['windows-1253', 'Αθηνά'],
  ['windows-1254', 'Gülşen'],
  ['windows-1254', 'Ayşe\nBarış\n'],
  ['windows-1254', 'Ayşe'],
  ['windows-1254', 'İsmail'],
  ['windows-1254', 'Şahin'],
  ['windows-1254', 'Oğuz'],
  ['windows-1254', 'Müşteri öğleden sonra aranmak istiyor.'],
  ['windows-1254', 'Barış\nYıldız\nÖzgür\n'],
  ['windows-1255', 'דנה'],
  ['windows-1256', 'محمد'],
  ['windows-874', 'สมชาย'],
  ['windows-1250', 'Łukasz'],
  ['windows-1250', 'Paweł\nGrażyna\nZofia\n'],
  ['windows-1250', 'Jiří\nDvořáková\nŠtěpán\nLukáš\n'],
  ['windows-1250', 'Žofie Černá'],
  ['windows-1250', 'Věra'],
  ['windows-1250', 'Kováč'],
  ['windows-1250', 'Kovačević'],
  ['windows-1250', 'Đorđe'],
  ['windows-1250', 'Kamiński'],
  ['windows-1250', 'Győző'],
  ['windows-1250', 'Stănescu'],
  ['windows-1257', 'Šarūnas'],
  ['windows-1257', 'Bērziņš'],
  ['macintosh', 'Müller'],
  ['macintosh', 'René'],
  ['macintosh', 'Straße 5, Hélène'],
  ['cp850', 'Jürgen'],
  ['cp850', 'Bäcker\nKönig\n'],
  ['cp850', 'MÜLLER'],
  ['cp437', 'KÖNIG'],
  ['cp850', 'BÄCKER'],
  ['cp850', 'GROßMANN'],
  ['macintosh', 'JOSÉ'],
  ['macintosh', 'KÖLN'],
  ['macintosh', 'BÄCKER'],
  ['macintosh', 'Muñoz'],
  ['macintosh', 'Peña'],
  ['macintosh', 'Jörg'],
  ['macintosh', 'Löffler'],
  ['iso-8859-15', 'Šárka'],
  ['iso-8859-15', 'Žan'],
  ['iso-8859-15', '5 €'],
  ['iso-8859-2', 'Šimon'],
  ['iso-8859-2', 'ŠIMON'],
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

const NAMES = {
  'windows-1252': [
    'Sigurður Guðmundur Hörður Davíð Friðrik Ragnheiður Þórður Viðar Auður Ýr Björn Jón Guðrún Þorsteinn Helga Anna',
    'Søren Jørgen Bjørn Åse Kjær Østergaard Møller Sæther Øyvind Håkon Röd Päivi Þór Guðmundsson Anna',
    'Jürgen François José Björn Zoë Nicolò João Škoda Žan René Åse Cantù Weiß Šmidt Hébert Kovacs',
  ],
  'windows-1254': [
    'Ayşe Barış Gülşen Yıldız Işık Oğuz Doğan Uğur Tuğba Yiğit Çiğdem Kılıç İbrahim Aydın Şahin Erdoğan Aslı',
  ],
  'windows-1250': [
    'Jiří Dvořák Kučera Růžena Němec Zdeněk Štěpán Černý Procházková Kříž Kolář Věra Soňa',
    'Kovačević Đorđe Anđela Petrović Babić Čolić Đurđica',
    'Łukasz Paweł Grażyna Wiśniewski Kamiński Wójcik Woźniak Dąbrowska Małgorzata',
  ],
};

it.each(Object.entries(NAMES).flatMap(([encoding, lists]) => lists.map((list) => [encoding, list] as const)))(
  'a few names of a list are enough in %s: %s',
  (encoding, list) => {
    fc.assert(
      fc.property(fc.shuffledSubarray(list.split(' '), { minLength: 1 }), (names) => {
        const text = names.join('\n');
        const isSame = iconv.decode(iconv.encode(text, encoding), 'windows-1252') === text;
        expect(isPlausible(text, encoding)).toBe(isSame);
      }),
    );
  },
);

it('has enough after a hundred thousand words beyond ASCII', () => {
  const western = new WesternText();
  western.add(`${'é '.repeat(99_999)}Ada`);
  expect(western.hasEnough()).toBe(false);
  western.add('é');
  expect(western.hasEnough()).toBe(true);
});

it('may have a few words that look foreign among many', () => {
  const western = new WesternText();
  for (let row = 0; row < 20; row += 1) western.add('Jürgen\n');
  western.add('Mu¨ller\n');
  expect(western.isPlausible()).toBe(true);
  for (let row = 0; row < 3; row += 1) western.add('£ukasz\n');
  expect(western.isPlausible()).toBe(false);
});
