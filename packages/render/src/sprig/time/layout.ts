/** The parts of a layout: elements of Go's reference time, and the text between them. */
export type LayoutPiece = { readonly text: string } | { readonly field: string; readonly raw: string };

/** Longer elements first, if one is a prefix of another. */
const pieces = [
  'January',
  'Jan',
  'Monday',
  'Mon',
  'MST',
  '2006',
  '-07:00:00',
  '-070000',
  '-07:00',
  '-0700',
  '-07',
  'Z07:00:00',
  'Z070000',
  'Z07:00',
  'Z0700',
  'Z07',
  '002',
  '__2',
  '_2006',
  '_2',
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '15',
  'PM',
  'pm',
  '1',
  '2',
  '3',
  '4',
  '5',
];

export function layoutPieces(layout: string): LayoutPiece[] {
  const found: LayoutPiece[] = [];
  let text = '';
  const push = (field: string, raw: string): void => {
    if (text !== '') found.push({ text });
    text = '';
    found.push({ field, raw });
  };
  for (let at = 0; at < layout.length; ) {
    const rest = layout.slice(at);
    const fraction = /^[.,](0+|9+)(?!\d)/.exec(rest);
    const piece = pieces.find((candidate) => rest.startsWith(candidate));
    if (fraction) {
      push('fraction', fraction[0]);
      at += fraction[0].length;
    } else if (piece && !(piece === 'Jan' && /^Jan[a-z]/.test(rest)) && !(piece === 'Mon' && /^Mon[a-z]/.test(rest))) {
      if (piece === '_2006') {
        text += '_';
        at += 1;
      } else {
        push(piece, piece);
        at += piece.length;
      }
    } else {
      text += layout.charAt(at++);
    }
  }
  if (text !== '') found.push({ text });
  return found;
}

export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
