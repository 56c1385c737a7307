import { type Piece, piecesOf } from './format-text.js';

/** The text of a message, as WhatsApp shows it. */
export function RichText({ text }: { text: string }) {
  return (
    <p class="words" dir="auto">
      {isPlain(text) ? text : <Pieces pieces={piecesOf(text)} />}
    </p>
  );
}

/** Most messages have nothing to mark. */
const isPlain = (text: string): boolean => !/[*_~`]|https?:/.test(text);

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map((piece, place) => (
        <OnePiece key={`${place}`} piece={piece} />
      ))}
    </>
  );
}

function OnePiece({ piece }: { piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return <>{piece.text}</>;
    case 'code':
      return <code>{piece.text}</code>;
    case 'link':
      return (
        <a href={piece.href} target="_blank" rel="noopener noreferrer">
          {piece.text}
        </a>
      );
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.pieces} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.pieces} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.pieces} />
        </s>
      );
  }
}
