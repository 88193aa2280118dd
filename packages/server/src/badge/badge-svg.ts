/** What a badge says. */
export interface Badge {
  readonly left: { readonly text: string; readonly color: string };
  readonly right: { readonly text: string; readonly color: string };
  /** Shown in a third field. */
  readonly revision?: string;
  /** Shown in a row above. */
  readonly title?: string;
  /** Of the whole badge, in pixels; that of what it shows if not given. */
  readonly width?: number;
}

const plainWidth = 131;
const revisionWidth = 192;
const fullRevisionWidth = 400;
const leftWidth = 77;
const rowHeight = 20;

/** A small ship's wheel. */
const logo = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 14 14" fill="none" stroke="#fff"><circle cx="7" cy="7" r="4"/><path d="M7 0v14M0 7h14M2 2l10 10M12 2L2 12"/></svg>',
).toString('base64')}`;

/** The SVG of a badge, in the form of Argo CD's, which pages that restyle badges rely on. */
export function badgeSvg({ left, right, revision, title, width }: Badge): string {
  const hasRevision = revision !== undefined;
  const adjusted = hasRevision || width !== undefined;
  const own = hasRevision ? (revision.length > 7 ? fullRevisionWidth : revisionWidth) : plainWidth;
  const chosen = width ?? own;
  const total = title === undefined ? chosen : Math.max(title.length * 6, chosen);
  const top = title === undefined ? 0 : rowHeight;
  const textY = title === undefined ? 130 : 330;
  const rightWidth = title !== undefined || (adjusted && !hasRevision) ? total - leftWidth : 57;
  const revisionX = hasRevision ? plainWidth * 10 + Math.floor(((revision.length + 1) * 62) / 2) : 1560;
  const shown = hasRevision ? 'inline' : 'none';
  const gap = `${adjusted ? ' ' : ''}${title === undefined ? '' : ' '}`;
  return `<svg width="${total}" ${gap}height="${top + rowHeight}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" >

    <clipPath id="roundedCorners">
        <rect width="100%" height="100%" rx="3" opacity="1" />
    </clipPath>

    <g clip-path="url(#roundedCorners)">
        <rect id="titleRect" fill="#29343D" x="0" y="0" width="${title === undefined ? 0 : total}" height="20" />
        <rect id="leftRect" fill="${left.color}"  x="0" y="${top}" width="76" height="20" />
        <rect id="rightRect" fill="${right.color}"  x="77" y="${top}" width="${rightWidth}" height="20" />
        <rect id="revisionRect" fill="${hasRevision ? `${right.color}" ` : '#4c1"'} x="131" y="${top}" width="${hasRevision ? chosen - plainWidth : 62}" height="20" display="${shown}"/>
    </g>

    <g fill="#fff" text-anchor="middle" font-family="DejaVu Sans, sans-serif" font-size="90">
       <image x="5" y="${top + 2}" width="14" height="14" xlink:href="${logo}"/>
        <text id="titleText" x="100" y="130" transform="scale(.1)" text-anchor="start" letter-spacing="-2">${escaped(title ?? '')}</text>
        <text id="leftText" x="475" y="${textY}" transform="scale(.1)" text-anchor="middle" letter-spacing="-2">${escaped(left.text)}</text>
        <text id="rightText" x="1035" y="${textY}" transform="scale(.1)" text-anchor="middle" letter-spacing="-2">${escaped(right.text)}</text>
        <text id="revisionText" x="${revisionX}" y="${textY}" font-family="monospace" transform="scale(.1)" font-size="100" letter-spacing="2" display="${shown}">${hasRevision ? `(${escaped(revision)})` : ''}</text>
    </g>
</svg>
`;
}

/** Texts of a status may hold anything. */
const escaped = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);
