import { MemoryFileStore } from './file-store.ts';
import { testFileStore } from './testing.ts';

testFileStore('memory', () => new MemoryFileStore());
