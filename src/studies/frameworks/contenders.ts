/** The contenders, from the package peers/ with their libraries: nothing else in src imports from there. */
import { openRemote, whyAbsent } from '../../../peers/remote.ts';
import { versionOf } from '../../../peers/sources.ts';

export type { Backend, ContenderTask } from '../../../peers/contender.ts';
export type { Remote } from '../../../peers/remote.ts';
export { linesOfCode, sourceOf, versionOf } from '../../../peers/sources.ts';

/** How a race opens its contenders. */
export const PEERS = { openRemote, whyAbsent, versionOf };
export type Peers = typeof PEERS;
