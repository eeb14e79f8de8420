/** Reading the user's own images in Python: src/data/own/make.ts and resize.ts, with Pillow. */
import type { ProjectSubject } from './subject.ts';

export const OWN_IMPORTS = ['from PIL import Image, ImageOps'];

export const ownImagesText = ({ model }: ProjectSubject): string => {
  const grey = model.input[0] === 1;
  return `def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels. Each subfolder is a class, in the order of their
    names; a fifth of its images is held out for testing."""
    if not Path(folder).is_dir():
        raise SystemExit(f"there is no folder {folder}; README.md says what it contains")
    chosen = []
    for label, name in enumerate(sorted((p.name for p in Path(folder).iterdir() if p.is_dir()), key=natural)):
        files = [p for p in (Path(folder) / name).rglob("*") if p.suffix.lower() in (".png", ".jpg", ".jpeg")]
        files.sort(key=lambda p: natural(p.relative_to(folder).as_posix()))
        tests = max(1, int(0.2 * len(files) + 0.5))
        places = Sequence(1, f"test images of {name}").permutation(len(files))
        chosen += [(files[i], label) for i in (places[:tests] if split == "test" else places[tests:])]
    places = Sequence(1, f"order of {split}").permutation(len(chosen))
    images = [read_image(chosen[i][0]) for i in places]
    return torch.from_numpy(np.stack(images)), torch.tensor([chosen[i][1] for i in places])


def natural(name: str) -> list[tuple]:
    """A sort key that orders numbers in names by size."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.lower()) for part in re.split(r"(\\d+)", name) if part]


def read_image(path: Path) -> np.ndarray:
    """The central square of an image, on white, resized by averaging over the area of each pixel."""
    picture = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGBA"), np.float64)
    side = min(picture.shape[:2])
    top, left = ((size - side) // 2 for size in picture.shape[:2])
    picture = picture[top : top + side, left : left + side]
    opacity = picture[:, :, 3:] / 255
    colours = opacity * picture[:, :, :3] + (1 - opacity) * 255
    weights = areas(side, SHAPE[1])
    small = np.einsum("ya,xb,abc->cyx", weights, weights, colours, optimize=True)
${grey ? '    small = np.tensordot([[0.299, 0.587, 0.114]], small, 1)\n' : ''}    return np.floor(small + 0.5).astype(np.uint8)


def areas(length: int, count: int) -> np.ndarray:
    """[count, length]: how much each of \`length\` pixels contributes to each of \`count\` equal intervals."""
    first = np.arange(count)[:, None] * (length / count)
    at = np.arange(length)
    covered = np.minimum(at + 1, first + length / count) - np.maximum(at, first)
    return np.maximum(covered, 0) / (length / count)`;
};
