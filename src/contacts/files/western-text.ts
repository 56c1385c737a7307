/** Words beyond ASCII after which more would change nothing. */
const MAX_WORDS = 100_000;
/** Characters of a word that are looked at, in front of the first one beyond ASCII and from there on. */
const MAX_SIDE = 20;
/** Of a hundred words beyond ASCII, as many may look foreign. */
const MAX_FOREIGN_PERCENT = 10;

const BEYOND_ASCII = /[^\x00-\x7f]/g;

/**
 * What words of Western languages hardly ever have, but words of another code page that are read as Windows-1252:
 * three letters beyond ASCII in a row (Cyrillic, Greek, Arabic, Chinese), signs within words (Polish, DOS), capitals
 * behind small letters (Macintosh, DOS), small letters and signs between capitals (DOS), signs in front of a word
 * (ISO-8859-2 and -15), bytes that write nothing, and UTF-8. A dash between capitals may join names, and a dash or an
 * accent may stand for an apostrophe.
 */
const FOREIGN = [
  /[¡-ÿŠŽŒšžœŸƒˆ˜†‡‰]{3}/,
  /\p{L}[‚„”†‡‰ˆ˜¡¢£¤¥¦§¨¬¯°±²³¶¸¹»¼½¾¿ªº]\p{L}|\p{L}[¡¦§¬]/u,
  /(?<!\p{L})[£¥¯ªº¼¾³¹]\p{Ll}|\p{Ll}{3}[³¹]|(?<!\p{L})[¦©´]\p{L}|¤/u,
  /\p{L}[™‹€]\p{L}|\p{Ll}–\p{Ll}|\p{Lu}…\p{Lu}|\p{L}ƒ/u,
  /\p{Lu}[šžá]\p{Lu}|[BCDFGHJ-NP-TV-Z]Ž[BCDFGHJ-NP-TV-Z]/u,
  /\p{Ll}[À-ÞŠŽŒŸ]|\p{L}[ŠŽŸ]\p{Ll}/u,
  /\ufffd|[ÂÃ][\u00a0-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[ƒ†‡ˆ‰˜][^\x00-\x7f]|‚[\u00a0-¿‚ƒ„…†‡ˆ‰]/,
];

/**
 * Letters in places where languages of Windows-1252 do not have them, since another code page has a consonant there for
 * a vowel, or a vowel for a consonant. They stand for č, ě, ů, ř, ć, ś, ň and ď; đ, š, ń, ă, ē and ő; ş and ţ; ö; ı and İ.
 * The word is in lower case.
 */
const MISPLACED = [
  /è[aeiouyáéíóúýûø]|[aeáéíóúý]è|iè(?!\p{L})|[ìù]\p{L}|[aeiouyáéíóúý][øæœ]|ø[áéíóúý]|[aeiouyáéíóúý]ò\p{L}|(?<![aeou])ï/u,
  /^ð.|nð|ñ[bdfghjklmnpqrstvwxz]|ã[bcdfghjklmnpqrtuvwxz]|[bdfgklmnprstvz]ç[bdfgklmnprstvz]|[yz]õ(?!e)|õ(?!\p{L})/u,
  /þ(?![aeiouyáéíóúýæörvj])|\p{L}þ(?![óorjy])/u,
  /(?<!\p{L})[bcdfghj-np-tvwxz]š[bcdfghj-np-tvwxz]/u,
  /yý|ý[çþ]|çý|ý\p{L}{1,3}ý|^ý(?![rm])\p{L}/u,
];

/** Letters that stand for Turkish ones: ı, ş, ğ. Icelandic has them. */
const AS_TURKISH = /[ýþð]/;
/** Letters that Turkish does not have, and where Icelandic has its own but Turkish has none. */
const NOT_TURKISH =
  /[^\x00-\x7föüçâîûýþð\P{L}]|[bdfgjklmnprstvx]ð|[ae][iuy]ð|[rv]ið|guð|aðals|^ý(?:mi)?r(?!\p{L})|^þor|^[bcdfghjklmnpqrstvwxzþ]{2}/u;
/** Letters that Turkish has and Icelandic has not, and where Turkish often has its own but Icelandic hardly ever. */
const TURKISH =
  /[üç]|oð[alru]|(?<![ag])uð|[^erv]ið|[bcdfghjklmnprstvyz]ý[bcdfghjklmnprstvyz]|[bcdfgjkmnprstvz]lý|^þ[aei]/;
/** As many words make a text Turkish that has nothing clearly Turkish. */
const MANY_AS_TURKISH = 2;

/**
 * Tells text in Windows-1252 from text of other code pages that is read as Windows-1252: names of Istanbul, Prague or
 * Sofia would be stored as nonsense. Single names that could be Western ones pass.
 */
export class WesternText {
  private words = 0;
  private foreign = 0;
  private asTurkish = 0;
  private turkish = 0;
  private notTurkish = 0;

  /** Takes in the next part of the text. */
  add(text: string): void {
    for (const word of wordsBeyondAscii(text)) {
      const small = word.toLowerCase();
      const isFound = (pattern: RegExp): boolean => pattern.test(small);
      this.words += 1;
      if (FOREIGN.some((pattern) => pattern.test(word)) || MISPLACED.some(isFound)) this.foreign += 1;
      if (isFound(NOT_TURKISH)) this.notTurkish += 1;
      else {
        if (isFound(AS_TURKISH)) this.asTurkish += 1;
        if (isFound(TURKISH)) this.turkish += 1;
      }
    }
  }

  /** Whether more text is not worth its time. */
  hasEnough(): boolean {
    return this.words >= MAX_WORDS;
  }

  /** Whether what was taken in makes sense. */
  isPlausible(): boolean {
    return 100 * this.foreign <= MAX_FOREIGN_PERCENT * this.words && !this.isTurkish();
  }

  private isTurkish(): boolean {
    return this.asTurkish > this.notTurkish && (this.turkish > 0 || this.asTurkish >= MANY_AS_TURKISH);
  }
}

/** The words of a text that have something beyond ASCII, as much of them as is looked at. */
function* wordsBeyondAscii(text: string): Generator<string> {
  for (let end = 0; ; ) {
    BEYOND_ASCII.lastIndex = end;
    const found = BEYOND_ASCII.exec(text)?.index;
    if (found === undefined) return;
    let start = found;
    while (start > end && isLetter(text.charCodeAt(start - 1))) start -= 1;
    end = found + 1;
    while (end < text.length && isLetter(text.charCodeAt(end))) end += 1;
    yield text.slice(Math.max(start, found - MAX_SIDE), Math.min(end, found + MAX_SIDE));
  }
}

/** Of ASCII, or anything beyond it. */
const isLetter = (code: number): boolean => code > 0x7f || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
