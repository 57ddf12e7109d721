"""The surrogate says what GPyTorch says, however its rows came."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
gpytorch = pytest.importorskip("gpytorch")

from r3c.tuners._surrogate import Surrogate, expected_improvement, normal_cdf  # noqa: E402 - after what it needs

RNG = np.random.default_rng(3)
X = RNG.random((40, 3))
Y = np.sin(5 * X[:, 0]) + 0.3 * X[:, 1] + 0.05 * RNG.standard_normal(40)
Y = (Y - Y.mean()) / Y.std()
NOISE = np.full(40, 1e-3)
CANDIDATES = RNG.random((25, 3))


@pytest.fixture
def fitted() -> Surrogate:
    surrogate = Surrogate(3, 1e-2)
    surrogate.fit(X, Y, NOISE)
    return surrogate


def test_fit_finds_which_column_matters(fitted: Surrogate) -> None:
    scales = fitted._covar.base_kernel.lengthscale.detach().numpy()[0]
    assert scales[0] < scales[1] < 3 * scales[2]


def test_posterior_is_that_of_gpytorch(fitted: Surrogate) -> None:
    fitted.watch(X, NOISE, CANDIDATES)
    mean, deviation = fitted.posterior(Y)
    covar = fitted._covar
    with torch.no_grad():
        noise = float(fitted._likelihood.second_noise)
        inner = covar(torch.tensor(X)).to_dense() + torch.diag(torch.tensor(NOISE) + noise)
        cross = covar(torch.tensor(CANDIDATES), torch.tensor(X)).to_dense()
        inverse = torch.linalg.inv(inner)
        ones, y = torch.ones(40, dtype=torch.float64), torch.tensor(Y)
        level = (ones @ inverse @ y) / (ones @ inverse @ ones)
        expected_mean = level + cross @ inverse @ (y - level)
        expected_variance = covar.outputscale - (cross @ inverse * cross).sum(1)
    assert np.allclose(mean, expected_mean.numpy(), atol=2e-3)
    assert np.allclose(deviation, expected_variance.sqrt().numpy(), atol=2e-3)


def test_rows_that_come_one_by_one_make_the_same_posterior(fitted: Surrogate) -> None:
    fitted.watch(X, NOISE, CANDIDATES)
    at_once = fitted.posterior(Y)
    fitted.watch(X[:25], NOISE[:25], CANDIDATES)
    for row, noise in zip(X[25:], NOISE[25:], strict=True):
        fitted.append(row, float(noise))
    assert np.allclose(fitted.posterior(Y), at_once, atol=2e-3)


def test_a_row_without_a_value_changes_no_mean_and_leaves_less_to_learn(fitted: Surrogate) -> None:
    fitted.watch(X, NOISE, CANDIDATES)
    mean, deviation = fitted.posterior(Y)
    at = int(np.argmax(deviation))
    fitted.append(CANDIDATES[at], 1e-3)
    pending_mean, pending_deviation = fitted.posterior(np.append(Y, np.nan))
    assert np.allclose(pending_mean, mean, atol=1e-3)
    assert (pending_deviation <= deviation + 1e-6).all()
    assert pending_deviation[at] < 0.8 * deviation[at]


def test_a_fit_that_cannot_work_keeps_what_was_learned(fitted: Surrogate) -> None:
    before = fitted._covar.base_kernel.lengthscale.detach().clone()
    fitted.fit(X, np.full(40, np.nan), NOISE)
    assert torch.equal(before, fitted._covar.base_kernel.lengthscale.detach())


def test_expected_improvement_grows_with_promise_and_with_doubt() -> None:
    scores = expected_improvement(np.array([0.0, -1.0, 0.0]), np.array([1.0, 1.0, 2.0]), 0.0)
    assert scores[0] == pytest.approx(0.39894, abs=1e-5)
    assert scores[1] > scores[0]
    assert scores[2] == pytest.approx(2 * scores[0])
    assert normal_cdf(np.array([-1.96, 0.0, 1.96])) == pytest.approx([0.025, 0.5, 0.975], abs=1e-4)
